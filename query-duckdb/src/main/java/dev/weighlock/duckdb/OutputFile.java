package dev.weighlock.duckdb;

import dev.weighlock.query.ErrorCode;
import dev.weighlock.query.FactKey;
import dev.weighlock.query.Facts;
import dev.weighlock.query.QueryException;
import dev.weighlock.query.engine.FileResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The declared output of a session. */
final class OutputFile {
    private static final String OPERATION = "output";

    private OutputFile() {}

    /** The engine would accept a read directory too, so this is checked apart, with links resolved. */
    static void requireInside(List<Path> writeDirectories, Path file) {
        try {
            var parent = file.normalize().getParent();
            if (parent != null) {
                var real = parent.toRealPath();
                for (var directory : writeDirectories) {
                    if (Files.isDirectory(directory) && real.startsWith(directory.toRealPath())) {
                        return;
                    }
                }
            }
        } catch (IOException e) {
            throw new QueryException(ErrorCode.SOURCE_NOT_FOUND, OPERATION, "no folder for " + file, path(file), e);
        }
        throw new QueryException(
                ErrorCode.SOURCE_ACCESS_DENIED,
                OPERATION,
                file + " is in none of the write directories " + writeDirectories,
                path(file));
    }

    static FileResult written(Path file, long rows) {
        try {
            if (rows < 0) {
                throw new QueryException(
                        ErrorCode.RESULT_INCOMPLETE, OPERATION, "the engine did not count the rows of " + file);
            }
            return new FileResult(file, rows, Files.size(file));
        } catch (IOException e) {
            throw new QueryException(
                    ErrorCode.RESULT_INCOMPLETE, OPERATION, file + " was written and is not there", path(file), e);
        }
    }

    private static Facts path(Path file) {
        return Facts.of(FactKey.PATH, file);
    }
}
