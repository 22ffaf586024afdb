package dev.weighlock.batch.jdbc.sqlite;

import dev.weighlock.batch.BatchException;
import dev.weighlock.batch.JobExecution;
import dev.weighlock.batch.StepExecution;
import dev.weighlock.batch.StopRequest;
import dev.weighlock.batch.jdbc.store.SchemaStatus;
import dev.weighlock.batch.jdbc.store.StopStore;
import dev.weighlock.batch.jdbc.store.StoredRepository;
import dev.weighlock.batch.repository.AuditEntry;
import dev.weighlock.batch.repository.DeadExecution;
import dev.weighlock.batch.repository.EndedTogether;
import dev.weighlock.batch.repository.JobChange;
import dev.weighlock.batch.repository.LaunchDecision;
import dev.weighlock.batch.repository.LaunchRequest;
import dev.weighlock.batch.repository.NodeInfo;
import dev.weighlock.batch.repository.RepositoryHealth;
import dev.weighlock.batch.repository.StepChange;
import dev.weighlock.batch.repository.StopDecision;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongConsumer;

/**
 * The embedded job repository: one SQLite file in WAL mode, shared by the processes of one host, never on a network
 * file system. What a method wrote is on disk when it returns.
 *
 * <p>Thread-safe; every call is native and may wait for another process's write, so from platform threads only.
 */
public final class SqliteRepository extends StoredRepository {
    /** The version of the tables of this program. */
    public static final int SCHEMA_VERSION = SqliteSchema.VERSION;

    private static final Duration LOCK_WAIT = Duration.ofSeconds(10);

    private final SqliteDatabase database;
    private final NodeStore nodes;
    private final LaunchStore launches;
    private final EndStore ends;
    private final StopStore stops;
    private final StopWatcher watcher;

    private SqliteRepository(SqliteDatabase database) {
        super(database);
        this.database = database;
        this.nodes = new NodeStore(database);
        this.launches = new LaunchStore(database);
        this.ends = new EndStore(database);
        this.stops = new StopStore(database, StopStore.Announcement.NONE);
        this.watcher = new StopWatcher(database, nodes::ownId);
    }

    /** Where the tables of {@code file}, which exists, stand; nothing is changed. */
    public static SchemaStatus schema(Path file) {
        try (var database = new SqliteDatabase(file.toAbsolutePath().normalize(), Clock.systemUTC(), LOCK_WAIT)) {
            return new SqliteSchema(database, Clock.systemUTC()).status();
        }
    }

    /** Makes the tables or brings them forward, as opening does; returns how many versions that were. */
    public static int migrate(Path file) {
        try (var database = new SqliteDatabase(file.toAbsolutePath().normalize(), Clock.systemUTC(), LOCK_WAIT)) {
            return new SqliteSchema(database, Clock.systemUTC()).prepare();
        }
    }

    /** Opens the repository in {@code file}; creates it, in a folder private to its user, where there is none. */
    public static SqliteRepository open(Path file) {
        return open(file, Clock.systemUTC(), LOCK_WAIT);
    }

    /**
     * Opens the repository in {@code file}. An older schema is brought forward, after a copy of the file was made.
     *
     * @param lockWait how long a write waits for other processes before it gives up
     * @throws BatchException SCHEMA_VERSION for a newer schema or another program's file, REPOSITORY_UNAVAILABLE
     */
    public static SqliteRepository open(Path file, Clock clock, Duration lockWait) {
        var database = new SqliteDatabase(file.toAbsolutePath().normalize(), clock, lockWait);
        try {
            new SqliteSchema(database, clock).prepare();
            return new SqliteRepository(database);
        } catch (RuntimeException e) {
            database.close();
            throw e;
        }
    }

    /** The file takes the time of whoever writes, so no clock can differ from it. */
    @Override
    public RepositoryHealth health() {
        return new RepositoryHealth(
                "SQLite",
                database.read(session ->
                        session.sql("SELECT sqlite_version() AS version").one(row -> row.text("version"))),
                SqliteSchema.VERSION,
                new RepositoryHealth.Push(
                        true, "another process's commit is noticed within " + StopWatcher.PAUSE_MILLIS + " ms"),
                Duration.ZERO);
    }

    @Override
    public void register(NodeInfo node) {
        nodes.register(node);
    }

    @Override
    public Optional<NodeInfo> node(String id) {
        return nodes.node(id);
    }

    @Override
    public List<DeadExecution> deadExecutions() {
        return nodes.dead();
    }

    @Override
    public boolean isNodeAlive(String nodeId) {
        return nodes.isAlive(nodeId);
    }

    @Override
    public boolean isOwnerAlive(JobExecution execution) {
        return nodes.isAlive(execution.ownerNode());
    }

    @Override
    public JobExecution failDead(JobExecution dead, AuditEntry audit) {
        return nodes.failDead(dead, audit);
    }

    @Override
    public LaunchDecision createExecution(LaunchRequest request) {
        return launches.create(request);
    }

    @Override
    public EndedTogether end(StepExecution step, StepChange stepChange, JobExecution execution, JobChange change) {
        return ends.end(step, stepChange, execution, change);
    }

    @Override
    public StopDecision requestStop(long executionId, OptionalLong expectedVersion, String actor, String reason) {
        var decision = stops.request(executionId, expectedVersion, actor, reason);
        watcher.wake();
        return decision;
    }

    @Override
    public List<StopRequest> pendingStops() {
        return nodes.ownId().map(stops::pending).orElse(List.of());
    }

    @Override
    public AutoCloseable onStopRequested(LongConsumer listener) {
        return watcher.listen(listener);
    }

    /** Ends the watching, then the connections, and last the proof of life; the first failure is thrown. */
    @Override
    public void close() {
        try (nodes;
                database;
                watcher) {
            // Resources close in reverse order.
        }
    }
}
