package dev.weighlock.query.backend;

import dev.weighlock.query.engine.DataSet;
import java.nio.file.Path;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a query may touch.
 *
 * @param readDirectories absolute folders whose files, and those below, may be read; nothing else may
 * @param writeDirectories absolute folders that may hold the declared output
 * @param baseDirectory where files that the SQL names by relative paths lie; null has such names refused
 * @param timeZone of SQL dates and times, never the JVM's
 * @param dataSets that the SQL may name as {@code cache.NAME}, each name once; their files need lie in no directory
 */
public record QueryScope(
        List<Path> readDirectories,
        List<Path> writeDirectories,
        @Nullable Path baseDirectory,
        ZoneId timeZone,
        List<DataSet> dataSets) {
    /** No files at all, in UTC. */
    public static final QueryScope CLOSED = new QueryScope(List.of(), List.of(), null, ZoneOffset.UTC, List.of());

    public QueryScope {
        readDirectories = List.copyOf(readDirectories);
        writeDirectories = List.copyOf(writeDirectories);
        dataSets = List.copyOf(dataSets);
    }
}
