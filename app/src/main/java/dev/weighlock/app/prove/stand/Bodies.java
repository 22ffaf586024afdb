package dev.weighlock.app.prove.stand;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * What the bodies of workers say of themselves, in rows of the database that is watched: each body has one row, which it
 * makes when it begins, renews while it runs and closes as the last thing it does. The runtime knows nothing of them, so
 * whether something still runs is judged by somebody who does not ask the runtime.
 *
 * <p>Thread-safe; each body has a connection of its own while it runs. Closing ends all connections.
 */
public final class Bodies implements AutoCloseable {
    static final String TABLE = Target.SCHEMA + ".body";

    private final Target target;
    private final ConcurrentLinkedQueue<Connection> idle = new ConcurrentLinkedQueue<>();
    private final Set<Connection> opened = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    /** A body that ran, or runs: {@code endedMicros} and {@code outcome} are its own words. */
    public record Body(long execution, String key, long beats, OptionalLong endedMicros, String outcome) {}

    Bodies(Target target) {
        this.target = target;
    }

    static void makeTable(Target target) throws SQLException {
        try (Connection connection = target.connect();
                var statement = connection.createStatement()) {
            statement.execute("CREATE TABLE " + TABLE + """
                 (
                    id text PRIMARY KEY,
                    execution_id bigint NOT NULL,
                    partition_key text NOT NULL,
                    started_at bigint NOT NULL,
                    beat_at bigint NOT NULL,
                    beats bigint NOT NULL,
                    ended_at bigint,
                    outcome text NOT NULL
                )
                """);
        }
    }

    /** A body of {@code key} begins; it closes the pulse when it ends. */
    public Pulse begin(long execution, String key) throws SQLException {
        Connection connection = idle.poll();
        return new Pulse(this, connection == null ? connect() : connection, target.nowMicros(), execution, key);
    }

    private Connection connect() throws SQLException {
        Connection connection = target.connect();
        opened.add(connection);
        if (closed) {
            connection.close();
        }
        if (target instanceof ServerTarget) {
            try (var statement = connection.createStatement()) {
                // Seen by others at once, and no wait for the disk in the middle of what is measured.
                statement.execute("SET synchronous_commit = off");
            }
        }
        return connection;
    }

    void giveBack(Connection connection) {
        idle.add(connection);
    }

    /** Every body of an execution, in the order begun. */
    public List<Body> of(long execution) throws SQLException {
        List<Body> bodies = new ArrayList<>();
        try (Connection connection = target.connect();
                var select = connection.prepareStatement("SELECT partition_key, beats, ended_at, outcome FROM " + TABLE
                        + " WHERE execution_id = ? ORDER BY started_at, partition_key")) {
            select.setLong(1, execution);
            try (var rows = select.executeQuery()) {
                while (rows.next()) {
                    long ended = rows.getLong(3);
                    OptionalLong endedMicros = rows.wasNull() ? OptionalLong.empty() : OptionalLong.of(ended);
                    bodies.add(new Body(execution, rows.getString(1), rows.getLong(2), endedMicros, rows.getString(4)));
                }
            }
        }
        return bodies;
    }

    /** Also those of bodies that still run, whose next beat fails then. */
    @Override
    public void close() throws SQLException {
        closed = true;
        for (Connection connection : opened) {
            connection.close();
        }
    }
}
