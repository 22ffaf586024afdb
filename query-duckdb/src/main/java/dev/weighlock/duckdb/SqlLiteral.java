package dev.weighlock.duckdb;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/** Text and paths as SQL literals. */
final class SqlLiteral {
    private SqlLiteral() {}

    static String of(String text) {
        return "'" + text.replace("'", "''") + "'";
    }

    static String of(Path path) {
        return of(path.toString());
    }

    static String name(String identifier) {
        return '"' + identifier.replace("\"", "\"\"") + '"';
    }

    static String folders(List<Path> folders) {
        return folders.stream().map(folder -> of(folder + "/")).collect(Collectors.joining(", ", "[", "]"));
    }
}
