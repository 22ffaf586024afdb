package dev.weighlock.batch.jdbc.target;

import dev.weighlock.batch.BatchError;
import dev.weighlock.batch.BatchException;
import dev.weighlock.batch.chunk.ChunkTarget;
import dev.weighlock.batch.chunk.Delivery;
import dev.weighlock.batch.jdbc.server.Server;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;

/**
 * A database that jobs write to or read from: a SQLite file or a PostgreSQL server.
 *
 * <p>Thread-safe. Whoever opened it closes it, after everything made from it.
 */
public abstract sealed class Database implements AutoCloseable permits SqliteDatabase, PostgresDatabase {
    private final DatabaseSettings settings;

    Database(DatabaseSettings settings) {
        this.settings = settings;
    }

    /**
     * Prepares connections; none is made yet.
     *
     * @throws BatchException INVALID_DEFINITION for a URL of another form
     */
    public static Database open(DatabaseSettings settings) {
        if (settings.url().startsWith(SqliteDatabase.PREFIX)) {
            return new SqliteDatabase(settings);
        }
        if (settings.url().startsWith(Server.PREFIX)) {
            return new PostgresDatabase(settings);
        }
        throw new BatchException(
                BatchError.INVALID_DEFINITION,
                "the connection " + settings.name()
                        + " has a URL of unknown form: sqlite:PATH or postgresql://HOST/DATABASE");
    }

    public String name() {
        return settings.name();
    }

    DatabaseSettings settings() {
        return settings;
    }

    /** A connection in auto-commit mode, for reading; closing it gives it back. */
    public abstract Connection connect() throws SQLException;

    /**
     * The target of one step or partition attempt.
     *
     * @throws BatchException DELIVERY_UNAVAILABLE when there is no checkpoint table and none may be made
     */
    public abstract ChunkTarget chunkTarget();

    /** Whether {@link WriteMode#COPY} works here. */
    abstract boolean copies();

    /** Chunks whose rows commit together with their checkpoint, in this database. */
    public final Delivery delivery() {
        return Delivery.withTarget(step -> chunkTarget());
    }

    /**
     * Removes what is left here of job instances that a repository forgets; nothing where no table of checkpoints is.
     *
     * @return how many checkpoints
     * @throws BatchException DELIVERY_UNAVAILABLE
     */
    public final long removeCheckpoints(UUID repositoryId, List<Long> instanceIds) {
        try (var connection = connect();
                var tables = connection.getMetaData().getTables(null, null, "weighlock_checkpoint", null)) {
            return tables.next() ? CheckpointTable.remove(connection, repositoryId, instanceIds) : 0;
        } catch (SQLException e) {
            throw unavailable("keeps its checkpoints", e);
        }
    }

    BatchException unavailable(String what, SQLException cause) {
        return new BatchException(
                BatchError.DELIVERY_UNAVAILABLE,
                "the connection " + name() + " " + what + ": " + cause.getMessage(),
                cause);
    }

    @Override
    public abstract void close();
}
