package dev.weighlock.batch.jdbc.sqlite;

import dev.weighlock.batch.BatchError;
import dev.weighlock.batch.BatchException;
import dev.weighlock.batch.jdbc.store.SchemaStatus;
import dev.weighlock.batch.jdbc.store.Session;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.SQLException;
import java.time.Clock;
import java.util.UUID;

/**
 * Creates a repository file, or brings it forward to this program's schema. The version stands in the file's header
 * ({@code user_version}), beside the mark that the file is a repository of this program ({@code application_id}).
 */
final class SqliteSchema {
    static final int VERSION = 2;

    /** "WLck" in ASCII. */
    static final int APPLICATION_ID = 0x574C636B;

    private final SqliteDatabase database;
    private final Clock clock;

    SqliteSchema(SqliteDatabase database, Clock clock) {
        this.database = database;
        this.clock = clock;
    }

    /**
     * @return how many versions the file was brought forward
     * @throws BatchException SCHEMA_VERSION for a newer schema or a file of another program
     */
    int prepare() {
        createFile();
        int version = database.read(this::checkedVersion);
        if (version == VERSION) {
            return 0;
        }
        if (version == 0) {
            database.switchToWal();
        } else {
            copy(version);
        }
        database.write(this::migrate);
        return VERSION - version;
    }

    /** Of a file that exists. */
    SchemaStatus status() {
        int version = database.read(this::foundVersion);
        if (version == VERSION) {
            return new SchemaStatus.Current(VERSION);
        }
        return version == 0
                ? new SchemaStatus.Uninitialised(VERSION)
                : version < VERSION
                        ? new SchemaStatus.Older(version, VERSION)
                        : new SchemaStatus.Newer(version, VERSION);
    }

    /** Before any connection of this process: the file must never be opened by Java while one has locks on it. */
    private void createFile() {
        var file = database.file();
        var folder = file.resolveSibling("").normalize();
        try {
            Files.createDirectories(folder, owned(folder, "rwx------"));
            Files.createFile(file, owned(folder, "rw-------"));
        } catch (FileAlreadyExistsException e) {
            if (Files.isDirectory(file)) {
                throw unavailable(file + " is a folder, not a repository file", e);
            }
        } catch (IOException e) {
            throw unavailable("the repository " + file + " cannot be created: " + e, e);
        }
    }

    private static FileAttribute<?>[] owned(Path folder, String permissions) {
        return folder.getFileSystem().supportedFileAttributeViews().contains("posix")
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))
                }
                : new FileAttribute<?>[0];
    }

    private int checkedVersion(Session session) throws SQLException {
        int version = foundVersion(session);
        if (version > VERSION) {
            throw new BatchException(
                    BatchError.SCHEMA_VERSION,
                    "the repository " + database.file() + ": " + new SchemaStatus.Newer(version, VERSION).text());
        }
        return version;
    }

    /** What the head of a file says. */
    private record Head(long application, long tables, int version) {}

    /** By one look: between two another process may bring a new file forward, which then seems another program's. */
    private int foundVersion(Session session) throws SQLException {
        var head = session.sql("""
                        SELECT application_id, user_version, (SELECT count(*) FROM sqlite_master) AS tables
                        FROM pragma_application_id, pragma_user_version
                        """)
                .one(row ->
                        new Head(row.number("application_id"), row.number("tables"), (int) row.number("user_version")));
        if (head.application() != APPLICATION_ID && head.tables() > 0) {
            throw new BatchException(
                    BatchError.SCHEMA_VERSION, database.file() + " is a SQLite file of another program");
        }
        return head.version();
    }

    /** A copy of the last state that the older program understood. */
    private void copy(int version) {
        var copy = database.file()
                .resolveSibling(database.file().getFileName() + ".version-" + version + "-" + clock.millis());
        database.read(session ->
                session.sql("VACUUM INTO :copy").bind("copy", copy.toString()).update());
    }

    private int migrate(Session session) throws SQLException {
        int version = checkedVersion(session);
        for (int next = version + 1; next <= VERSION; next++) {
            SqliteDatabase.run(session.connection(), script(next));
        }
        if (version == 0) {
            SqliteDatabase.run(session.connection(), "PRAGMA application_id = " + APPLICATION_ID);
            initialise(session);
        }
        SqliteDatabase.run(session.connection(), "PRAGMA user_version = " + VERSION);
        return version;
    }

    private void initialise(Session session) throws SQLException {
        session.sql("INSERT INTO repository (one, id, created_at) VALUES (1, :id, {now})")
                .bind("id", UUID.randomUUID().toString())
                .update();
    }

    private static String script(int version) {
        var name = "V%03d.sql".formatted(version);
        try (var in = SqliteSchema.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("the program lacks its migration " + name);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("the migration " + name + " cannot be read", e);
        }
    }

    private static BatchException unavailable(String message, IOException cause) {
        return new BatchException(BatchError.REPOSITORY_UNAVAILABLE, message, cause);
    }
}
