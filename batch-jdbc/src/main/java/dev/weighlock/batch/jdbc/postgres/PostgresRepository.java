package dev.weighlock.batch.jdbc.postgres;

import dev.weighlock.batch.BatchException;
import dev.weighlock.batch.JobExecution;
import dev.weighlock.batch.StepExecution;
import dev.weighlock.batch.StopRequest;
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
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/**
 * The reference job repository: a PostgreSQL database, version 16 or later, shared by nodes on many hosts. What a method
 * wrote is committed when it returns.
 *
 * <p>Thread-safe; calls block on the server.
 */
public final class PostgresRepository extends StoredRepository {
    private final PostgresDatabase database;
    private final NodeStore nodes;
    private final LaunchStore launches;
    private final EndStore ends;
    private final StopStore stops;
    private final Takeover takeover;

    private PostgresRepository(PostgresDatabase database, Clock clock) {
        super(database);
        this.database = database;
        this.nodes = new NodeStore(database, clock);
        this.takeover = new Takeover(database, nodes);
        this.launches = new LaunchStore(database);
        this.ends = new EndStore(database);
        this.stops = new StopStore(database, nodes.channel()::announceStop);
    }

    /**
     * Opens a repository whose tables are there; they are made and migrated by {@link PostgresSchema} alone.
     *
     * @throws BatchException SCHEMA_VERSION unless the tables are this program's, REPOSITORY_UNAVAILABLE
     */
    public static PostgresRepository open(PostgresSettings settings) {
        return open(settings, Clock.systemUTC());
    }

    /** @param clock of this host: how far it is off is shown, and decides nothing */
    public static PostgresRepository open(PostgresSettings settings, Clock clock) {
        new PostgresSchema(settings).requireCurrent();
        return new PostgresRepository(new PostgresDatabase(settings), clock);
    }

    /** Whether stop requests are pushed to this process; waits a moment for the answer of a test. */
    public PushState push() {
        return nodes.push();
    }

    @Override
    public RepositoryHealth health() {
        var push = switch (push()) {
            case PushState.On() -> new RepositoryHealth.Push(true, "a notification was sent and received");
            case PushState.Off(var why) -> new RepositoryHealth.Push(false, why);
        };
        return database.read(session -> {
            var before = Instant.now();
            var now = session.sql("SELECT statement_timestamp() AS now, current_setting('server_version') AS version")
                    .one(row -> Map.entry(row.text("version"), row.instant("now")));
            return new RepositoryHealth(
                    "PostgreSQL", now.getKey(), PostgresSchema.VERSION, push, Duration.between(now.getValue(), before));
        });
    }

    @Override
    public void register(NodeInfo node) {
        nodes.register(node);
    }

    @Override
    public Optional<String> unfit() {
        return nodes.unfit();
    }

    @Override
    public AutoCloseable onLapse(Consumer<String> listener) {
        return nodes.onLapse(listener);
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
        return takeover.failDead(dead, audit);
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
        return stops.request(executionId, expectedVersion, actor, reason);
    }

    @Override
    public List<StopRequest> pendingStops() {
        return nodes.ownId().map(stops::pending).orElse(List.of());
    }

    @Override
    public AutoCloseable onStopRequested(LongConsumer listener) {
        return nodes.onStopRequested(listener);
    }

    @Override
    public OptionalInt connections() {
        return OptionalInt.of(database.settings().poolSize());
    }

    /** Ends the pool's connections, and last the proof of life; the first failure is thrown. */
    @Override
    public void close() {
        try (nodes;
                database) {
            // Resources close in reverse order.
        }
    }
}
