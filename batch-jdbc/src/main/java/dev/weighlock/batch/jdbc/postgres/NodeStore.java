package dev.weighlock.batch.jdbc.postgres;

import dev.weighlock.batch.JobExecution;
import dev.weighlock.batch.jdbc.store.Row;
import dev.weighlock.batch.jdbc.store.Session;
import dev.weighlock.batch.jdbc.store.StoreDatabase.ReadBack;
import dev.weighlock.batch.repository.DeadExecution;
import dev.weighlock.batch.repository.NodeInfo;
import dev.weighlock.batch.repository.RepositoryRefusals;
import dev.weighlock.host.LockFile;
import java.sql.SQLException;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Which nodes live. A node is dead when it said so at its end, when its lease is over by the database's time, or at once
 * when the lock of its file is free in the very folder that this process uses. A held lock shows only that the process
 * exists: it may be paused for ever.
 *
 * <p>Thread-safe: the monitor guards registering and closing, and is held across the first heartbeat, so that a process
 * becomes one node at most.
 */
final class NodeStore implements AutoCloseable {
    /** @param over by the database's account */
    private record Seen(NodeInfo info, String place, boolean over) {
        static Seen of(Row row) throws SQLException {
            return new Seen(
                    new NodeInfo(row.text("id"), row.text("host"), row.number("pid")),
                    row.optionalText("place").orElse(""),
                    row.number("over") == 1);
        }
    }

    private static final String NODES = """
            SELECT id, host, pid, place,
                CASE WHEN ended_at IS NOT NULL OR heartbeat_at + lease < clock_timestamp() THEN 1 ELSE 0 END AS over
            FROM node
            """;

    private static final long PUSH_LOOK_NANOS = 1_000_000;

    private final PostgresDatabase database;
    private final StopChannel channel;
    private final Clock clock;
    private final List<Consumer<String>> lapseListeners = new CopyOnWriteArrayList<>();
    private @Nullable LockFile lock;
    private volatile @Nullable Heartbeat heartbeat;
    private volatile @Nullable ControlConnection control;
    private volatile @Nullable NodePlace place;

    NodeStore(PostgresDatabase database, Clock clock) {
        this.database = database;
        this.clock = clock;
        this.channel = new StopChannel(database.settings().schema());
    }

    synchronized void register(NodeInfo node) {
        var own = heartbeat;
        if (own != null) {
            throw new IllegalStateException(
                    "this repository object already serves node " + own.node().id());
        }
        // First the lock, then the row: a row without a lock would read as dead.
        var held = LockFile.tryHold(place().lockFile(node.id()), node.host() + " " + node.pid())
                .orElseThrow(() -> new IllegalStateException("node " + node.id() + " is held by a live process"));
        try {
            var beat = new Heartbeat(node, place(), database.settings(), clock, this::lapsed);
            var connection = new ControlConnection(database, beat, channel);
            database.connecting(connection::start);
            control = connection;
            heartbeat = beat;
            lock = held;
        } catch (RuntimeException | Error e) {
            held.close();
            throw e;
        }
    }

    private NodePlace place() {
        var known = place;
        if (known == null) {
            known = NodePlace.of(database.settings().lockFolder());
            place = known;
        }
        return known;
    }

    Optional<String> ownId() {
        return Optional.ofNullable(heartbeat).map(own -> own.node().id());
    }

    Optional<String> unfit() {
        return Optional.ofNullable(heartbeat).flatMap(Heartbeat::lapse);
    }

    AutoCloseable onLapse(Consumer<String> listener) {
        lapseListeners.add(listener);
        return () -> lapseListeners.remove(listener);
    }

    /** What the pool holds was ended by others, or is not recorded any more. */
    private void lapsed(String why) {
        lapseListeners.forEach(listener -> listener.accept(why));
        database.renewConnections();
    }

    StopChannel channel() {
        return channel;
    }

    /** Tells of what is stored already too. */
    AutoCloseable onStopRequested(LongConsumer listener) {
        var subscription = channel.listen(listener);
        ownId().ifPresent(id -> database.writeOne(
                session -> {
                    channel.say(session, "look " + id);
                    return id;
                },
                ReadBack.none()));
        return subscription;
    }

    /** Waits for the answer of a test under way; a process that is no node tests for itself. */
    PushState push() {
        var own = control;
        if (own == null) {
            return PushProbe.run(database, channel);
        }
        for (var state = own.push(); ; state = own.push()) {
            if (state.isPresent()) {
                return state.get();
            }
            LockSupport.parkNanos(PUSH_LOOK_NANOS);
        }
    }

    Optional<NodeInfo> node(String id) {
        return database.read(session -> seen(session, id)).map(Seen::info);
    }

    private static Optional<Seen> seen(Session session, String id) throws SQLException {
        return session.sql(NODES + "WHERE id = :id").bind("id", id).first(Seen::of);
    }

    boolean isAlive(String id) {
        return database.read(session -> isAlive(session, id));
    }

    boolean isAlive(Session session, String id) throws SQLException {
        return seen(session, id).filter(node -> !isDead(node)).isPresent();
    }

    /** This process knows that it lives, whatever became of its lease. */
    private boolean isDead(Seen node) {
        var id = node.info().id();
        return !ownId().equals(Optional.of(id)) && (node.over() || place().provesDead(node.place(), id));
    }

    /** @throws dev.weighlock.batch.BatchException ALREADY_RUNNING when the owner is alive */
    void refuseLive(Session session, JobExecution execution) throws SQLException {
        var owner = seen(session, execution.ownerNode());
        if (owner.isPresent() && !isDead(owner.get())) {
            throw RepositoryRefusals.alive(execution.id(), owner.get().info().name());
        }
    }

    List<DeadExecution> dead() {
        return database.read(session -> {
            var dead = session
                    .sql(NODES + "WHERE id IN (SELECT owner_node FROM job_execution WHERE ended_at IS NULL)")
                    .list(Seen::of)
                    .stream()
                    .filter(this::isDead)
                    .map(node -> node.info().id())
                    .toList();
            return dead.isEmpty() ? List.of() : activeOf(session, dead);
        });
    }

    private static List<DeadExecution> activeOf(Session session, List<String> nodes) throws SQLException {
        return session.sql("""
                        SELECT e.*, i.identity, j.name AS job_name, n.host, n.pid
                        FROM job_execution e
                        JOIN job_instance i ON i.id = e.instance_id
                        JOIN job j ON j.id = e.job_id
                        JOIN node n ON n.id = e.owner_node
                        WHERE e.ended_at IS NULL AND e.owner_node = ANY (string_to_array(:nodes, ' '))
                        """)
                .bind("nodes", String.join(" ", nodes))
                .list(row -> new DeadExecution(
                        row.execution(), new NodeInfo(row.text("owner_node"), row.text("host"), row.number("pid"))));
    }

    /** Ends the proof of life: the heartbeats, then the lock. Idempotent. */
    @Override
    public synchronized void close() {
        var connection = control;
        var held = lock;
        control = null;
        lock = null;
        if (connection != null && held != null) {
            try (held;
                    connection) {
                // Resources close in reverse order.
            }
        }
    }
}
