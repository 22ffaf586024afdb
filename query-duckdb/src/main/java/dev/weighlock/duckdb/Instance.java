package dev.weighlock.duckdb;

import dev.weighlock.query.engine.DataSet;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import org.duckdb.DuckDBConnection;
import org.duckdb.DuckDBDriver;
import org.jspecify.annotations.Nullable;

/**
 * A DuckDB instance in memory, locked down: nothing that runs in it can change a limit or reach a file outside its
 * folders. For one thread at a time; whoever opened it destroys it.
 */
final class Instance {
    private static final String HELD =
            "SELECT sum(memory_usage_bytes)::BIGINT, sum(temporary_storage_bytes)::BIGINT FROM duckdb_memory()";

    /** No aggregate and no view: those would find the memory that they take themselves. */
    private static final String RESIDUE = """
            SELECT tag || ': ' || memory_usage_bytes || ' bytes of memory, ' || temporary_storage_bytes || ' spilled'
            FROM duckdb_memory() WHERE memory_usage_bytes > 0 OR temporary_storage_bytes > 0
            UNION ALL SELECT 'table ' || table_name FROM duckdb_tables()
            UNION ALL SELECT 'view ' || view_name FROM duckdb_views() WHERE NOT internal
            UNION ALL SELECT 'index ' || index_name FROM duckdb_indexes()
            """;

    private final Spec spec;
    private final @Nullable Path tempDirectory;
    private final DuckDBConnection connection;
    private @Nullable PreparedStatement residue;

    private Instance(Spec spec, @Nullable Path tempDirectory, DuckDBConnection connection) {
        this.spec = spec;
        this.tempDirectory = tempDirectory;
        this.connection = connection;
    }

    /**
     * What is fixed for an instance's whole life: instances with equal properties are of one class.
     *
     * @param tempLimitBytes how much it may spill
     * @param streamingBytes how far a streamed result may run ahead of its reader
     * @param folders whose files it may open, and those below
     * @param dataSets that it attaches
     */
    record Spec(
            long memoryBytes,
            int threads,
            long tempLimitBytes,
            long streamingBytes,
            List<Path> folders,
            ZoneId timeZone,
            List<DataSet> dataSets) {
        Spec {
            folders = List.copyOf(folders);
            dataSets = List.copyOf(dataSets);
        }
    }

    /** @param tempDirectory its own and existing; null forbids spilling */
    static Instance open(Spec spec, @Nullable Path tempDirectory) throws SQLException {
        var properties = new Properties();
        properties.setProperty("memory_limit", spec.memoryBytes() + "B");
        properties.setProperty("threads", Integer.toString(spec.threads()));
        properties.setProperty("async_threads", "1");
        properties.setProperty("jdbc_stream_results", "true");
        var connection = (DuckDBConnection) new DuckDBDriver().connect("jdbc:duckdb:", properties);
        try (var statement = connection.createStatement()) {
            AttachedFiles.attach(spec.dataSets(), statement);
            for (var setting : LockDown.settings(spec, tempDirectory)) {
                statement.execute(setting);
            }
        } catch (SQLException | RuntimeException e) {
            connection.close();
            throw e;
        }
        return new Instance(spec, tempDirectory, connection);
    }

    Spec spec() {
        return spec;
    }

    DuckDBConnection connection() {
        return connection;
    }

    /** Memory and spilled bytes at one moment. */
    record Held(long memoryBytes, long tempBytes) {
        private static Held read(PreparedStatement statement) throws SQLException {
            try (var found = statement.executeQuery()) {
                found.next();
                return new Held(found.getLong(1), found.getLong(2));
            }
        }
    }

    /** What it holds now, also while a statement of the same thread is open. */
    Held heldNow() throws SQLException {
        try (var beside = connection.duplicate();
                var statement = beside.prepareStatement(HELD)) {
            return Held.read(statement);
        }
    }

    /**
     * What is left in it between two attempts: objects, memory or files. Empty proves that it is as good as new. Files are looked
     * for first, because the first look at an instance's objects takes longer than a small query.
     */
    Optional<String> residue() throws SQLException, IOException {
        if (tempDirectory != null && !isEmpty(tempDirectory)) {
            return Optional.of("files in " + tempDirectory.getFileName());
        }
        if (residue == null) {
            residue = connection.prepareStatement(RESIDUE);
        }
        try (var found = residue.executeQuery()) {
            return found.next() ? Optional.of(found.getString(1)) : Optional.empty();
        }
    }

    private static boolean isEmpty(Path folder) throws IOException {
        try (var entries = Files.newDirectoryStream(folder)) {
            return !entries.iterator().hasNext();
        }
    }

    /** Ends it with all that it holds; its temp directory goes too. */
    void destroy() throws SQLException, IOException {
        connection.close();
        if (tempDirectory != null) {
            TempRoot.deleteTree(tempDirectory);
        }
    }

    @Override
    public String toString() {
        return tempDirectory == null ? "planner" : tempDirectory.getFileName().toString();
    }
}
