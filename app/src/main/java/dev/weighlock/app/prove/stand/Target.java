package dev.weighlock.app.prove.stand;

import dev.weighlock.batch.repository.JobRepository;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.Optional;

/**
 * The database that a campaign is run against, and the campaign's own schema {@link #SCHEMA} beside the repository's
 * tables.
 *
 * <p>Thread-safe. Whoever made it closes it, after everything opened from it is closed.
 */
public interface Target extends AutoCloseable {
    /** Of the campaign's own tables; the repository's are found without a name before theirs. */
    String SCHEMA = "weighlock_prove";

    /** As {@code --repository} takes it, without credentials. */
    String url();

    /** Whether the database is gone with the campaign. */
    boolean temporary();

    /**
     * The turn of one campaign in this database: held from its beginning to its end, and over when its process is. It is
     * no lock of the repository, and nothing but another campaign waits for it.
     */
    interface Turn extends AutoCloseable {
        @Override
        void close() throws SQLException;
    }

    /** Takes the turn without waiting; empty while another campaign has it. The caller closes it. */
    Optional<Turn> turn() throws SQLException;

    /**
     * Opens the repository once more, with connections of its own; the caller closes it.
     *
     * @param pool connections for running work, where the database has a pool
     */
    JobRepository open(int pool);

    /** A connection in auto-commit mode that sees both schemas; the caller closes it. */
    Connection connect() throws SQLException;

    /** The same with a transaction begun that will write. */
    Connection connectForWriting() throws SQLException;

    /** How chunk steps write into the campaign's schema; the caller closes it. */
    ChunkPlace chunks();

    /** How many connections the campaigns' nodes have to a server; 0 where there is none. */
    long connections() throws SQLException;

    /** The folder in which nodes of this host keep their lock files. */
    Path nodes();

    /**
     * Makes the campaign's schema anew, empty.
     *
     * @throws dev.weighlock.app.exit.CommandFailure REFUSED where one of this name was not made by a campaign
     */
    void makeSchema() throws SQLException;

    /**
     * Removes it, where there is one.
     *
     * @throws dev.weighlock.app.exit.CommandFailure REFUSED where it was not made by a campaign
     */
    void removeSchema() throws SQLException;

    /** An SQL expression: microseconds since 1970 by the clock that the repository's instants come from. */
    String nowMicros();

    /** Whether several transactions may write at once. */
    boolean writersAtOnce();

    /** How commits are kept: the settings that decide it. */
    Map<String, String> durability() throws SQLException;

    /** What another process needs in its environment to reach the same database. */
    Map<String, String> environment();

    @Override
    void close();
}
