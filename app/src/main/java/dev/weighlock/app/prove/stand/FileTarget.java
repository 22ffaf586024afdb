package dev.weighlock.app.prove.stand;

import dev.weighlock.batch.jdbc.sqlite.SqliteRepository;
import dev.weighlock.batch.repository.JobRepository;
import dev.weighlock.host.LockFile;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.sqlite.SQLiteConfig;

/**
 * A repository in a SQLite file. The campaign's schema is a file of its own, so that the workers' many small writes wait
 * for nobody, and nobody for them.
 */
final class FileTarget implements Target {
    private static final int LOCK_WAIT_MILLIS = 10_000;

    private final Path file;
    private final Path schema;

    /** @param folder for the campaign's own file */
    FileTarget(Path file, Path folder) {
        this.file = file;
        this.schema = folder.resolve(SCHEMA + ".db");
    }

    @Override
    public String url() {
        return "sqlite:" + file;
    }

    @Override
    public boolean temporary() {
        return false;
    }

    @Override
    public Optional<Turn> turn() {
        Path lock = file.resolveSibling(file.getFileName() + ".prove.lock");
        return LockFile.tryHold(lock, Long.toString(ProcessHandle.current().pid()))
                .map(held -> held::close);
    }

    @Override
    public JobRepository open(int pool) {
        return SqliteRepository.open(file);
    }

    @Override
    public Connection connect() throws SQLException {
        return connect(SQLiteConfig.TransactionMode.DEFERRED);
    }

    @Override
    public Connection connectForWriting() throws SQLException {
        Connection connection = connect(SQLiteConfig.TransactionMode.IMMEDIATE);
        connection.setAutoCommit(false);
        return connection;
    }

    private Connection connect(SQLiteConfig.TransactionMode mode) throws SQLException {
        SQLiteConfig config = new SQLiteConfig();
        config.setBusyTimeout(LOCK_WAIT_MILLIS);
        config.setTransactionMode(mode);
        Connection connection = config.createConnection("jdbc:sqlite:" + file);
        try (var attach = connection.prepareStatement("ATTACH DATABASE ? AS " + SCHEMA);
                var lasting = connection.createStatement()) {
            attach.setString(1, schema.toString());
            attach.execute();
            lasting.execute("PRAGMA " + SCHEMA + ".journal_mode = WAL");
            // What the workers say of themselves need not outlive the machine.
            lasting.execute("PRAGMA " + SCHEMA + ".synchronous = OFF");
            return connection;
        } catch (SQLException e) {
            connection.close();
            throw e;
        }
    }

    @Override
    public ChunkPlace chunks() {
        return ChunkPlace.ofFile(schema);
    }

    @Override
    public Path nodes() {
        return file.resolveSibling("nodes");
    }

    @Override
    public long connections() {
        return 0;
    }

    @Override
    public void makeSchema() throws SQLException {
        removeSchema();
    }

    @Override
    public void removeSchema() throws SQLException {
        try (Connection connection = connect()) {
            for (String table : tables(connection)) {
                try (var statement = connection.createStatement()) {
                    statement.execute("DROP TABLE " + SCHEMA + ".\"" + table + "\"");
                }
            }
        }
    }

    private static List<String> tables(Connection connection) throws SQLException {
        List<String> tables = new ArrayList<>();
        try (var statement = connection.createStatement();
                var rows = statement.executeQuery("SELECT name FROM " + SCHEMA
                        + ".sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")) {
            while (rows.next()) {
                tables.add(rows.getString(1));
            }
        }
        return tables;
    }

    @Override
    public String nowMicros() {
        return "CAST(unixepoch('subsec') * 1000000 AS INTEGER)";
    }

    @Override
    public boolean writersAtOnce() {
        return false;
    }

    @Override
    public Map<String, String> durability() {
        return Map.of("journal", "WAL", "what_a_method_wrote", "on disk when it returns");
    }

    @Override
    public Map<String, String> environment() {
        return Map.of();
    }

    @Override
    public void close() {}
}
