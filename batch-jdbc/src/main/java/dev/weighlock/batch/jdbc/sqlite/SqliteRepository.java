package dev.weighlock.batch.jdbc.sqlite;

import dev.weighlock.batch.BatchException;
import dev.weighlock.batch.FlowDecision;
import dev.weighlock.batch.JobExecution;
import dev.weighlock.batch.JobInstance;
import dev.weighlock.batch.JobName;
import dev.weighlock.batch.PartitionExecution;
import dev.weighlock.batch.StepExecution;
import dev.weighlock.batch.StepName;
import dev.weighlock.batch.StopRequest;
import dev.weighlock.batch.StoredDefinition;
import dev.weighlock.batch.repository.AuditEntry;
import dev.weighlock.batch.repository.ChunkProgress;
import dev.weighlock.batch.repository.DeadExecution;
import dev.weighlock.batch.repository.EnlistedWrite;
import dev.weighlock.batch.repository.JobChange;
import dev.weighlock.batch.repository.JobRepository;
import dev.weighlock.batch.repository.JobSummary;
import dev.weighlock.batch.repository.LaunchDecision;
import dev.weighlock.batch.repository.LaunchRequest;
import dev.weighlock.batch.repository.NodeInfo;
import dev.weighlock.batch.repository.Page;
import dev.weighlock.batch.repository.PartitionChange;
import dev.weighlock.batch.repository.PartitionTotals;
import dev.weighlock.batch.repository.PlannedPartition;
import dev.weighlock.batch.repository.StepChange;
import dev.weighlock.batch.repository.StopDecision;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.function.LongConsumer;

/**
 * The embedded job repository: one SQLite file in WAL mode, shared by the processes of one host, never on a network
 * file system. What a method wrote is on disk when it returns.
 *
 * <p>Thread-safe; every call is native and may wait for another process's write, so from platform threads only.
 */
public final class SqliteRepository implements JobRepository {
    private static final Duration LOCK_WAIT = Duration.ofSeconds(10);

    private final SqliteDatabase database;
    private final NodeStore nodes;
    private final LaunchStore launches;
    private final ExecutionStore executions;
    private final StepStore steps;
    private final PlanStore plans;
    private final PartitionStore partitions;
    private final StopStore stops;
    private final StopWatcher watcher;
    private final Explorer explorer;

    private SqliteRepository(SqliteDatabase database, Clock clock) {
        this.database = database;
        this.nodes = new NodeStore(database, clock);
        this.launches = new LaunchStore(database, clock);
        this.executions = new ExecutionStore(database, clock);
        this.steps = new StepStore(database, clock);
        this.plans = new PlanStore(database);
        this.partitions = new PartitionStore(database, clock);
        this.stops = new StopStore(database, clock);
        this.watcher = new StopWatcher(database, nodes::ownId);
        this.explorer = new Explorer(database);
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
        var database = new SqliteDatabase(file.toAbsolutePath().normalize(), lockWait);
        try {
            new SqliteSchema(database, clock).prepare();
            return new SqliteRepository(database, clock);
        } catch (RuntimeException e) {
            database.close();
            throw e;
        }
    }

    @Override
    public UUID id() {
        return database.read(connection ->
                Sql.of(connection, "SELECT id FROM repository").one(row -> UUID.fromString(row.text("id"))));
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
    public Optional<StoredDefinition> definition(String digest) {
        return launches.definition(digest);
    }

    @Override
    public JobExecution update(JobExecution current, JobChange change) {
        return executions.update(current, change);
    }

    @Override
    public JobExecution abandon(JobExecution current, AuditEntry audit) {
        return executions.abandon(current, audit);
    }

    @Override
    public JobExecution failUnknown(JobExecution current, AuditEntry audit) {
        return executions.failUnknown(current, audit);
    }

    @Override
    public void recordDecision(JobExecution execution, FlowDecision decision) {
        executions.record(execution, decision);
    }

    @Override
    public List<FlowDecision> decisions(long instanceId) {
        return executions.decisions(instanceId);
    }

    @Override
    public StepExecution createStep(JobExecution execution, StepName name, int startLimit, boolean partitioned) {
        return steps.create(execution, name, startLimit, partitioned);
    }

    @Override
    public Optional<StepExecution> lastStep(long instanceId, StepName name) {
        return steps.last(instanceId, name);
    }

    @Override
    public StepExecution update(StepExecution current, StepChange change, EnlistedWrite write) {
        return steps.update(current, change, write);
    }

    @Override
    public StepExecution commitChunk(StepExecution current, ChunkProgress progress, EnlistedWrite write) {
        return steps.commitChunk(current, progress, write);
    }

    @Override
    public void plan(StepExecution step, List<PlannedPartition> plan) {
        plans.plan(step, plan);
    }

    @Override
    public long copyPlan(StepExecution to) {
        return plans.copy(to);
    }

    @Override
    public List<PartitionExecution> claim(StepExecution step, int most) {
        return partitions.claim(step, most);
    }

    @Override
    public PartitionExecution update(
            StepExecution step, PartitionExecution current, PartitionChange change, EnlistedWrite write) {
        return partitions.update(step, current, change, write);
    }

    @Override
    public PartitionExecution commitChunk(
            StepExecution step, PartitionExecution current, ChunkProgress progress, EnlistedWrite write) {
        return partitions.commitChunk(step, current, progress, write);
    }

    @Override
    public long stopPlanned(StepExecution step) {
        return partitions.stopPlanned(step);
    }

    @Override
    public PartitionTotals totals(StepExecution step) {
        return partitions.totals(step);
    }

    @Override
    public StopDecision requestStop(long executionId, OptionalLong expectedVersion, String actor) {
        var decision = stops.request(executionId, expectedVersion, actor);
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

    @Override
    public Optional<JobInstance> instance(JobName job, String identity) {
        return explorer.instance(job, identity);
    }

    @Override
    public Optional<JobExecution> execution(long executionId) {
        return explorer.execution(executionId);
    }

    @Override
    public Optional<JobExecution> lastExecution(long instanceId) {
        return explorer.lastExecution(instanceId);
    }

    @Override
    public Page<JobSummary> jobs(Optional<String> cursor, int limit) {
        return explorer.jobs(cursor, limit);
    }

    @Override
    public Page<JobExecution> executions(Optional<JobName> job, Optional<String> cursor, int limit) {
        return explorer.executions(job, cursor, limit);
    }

    @Override
    public List<StepExecution> steps(long executionId) {
        return explorer.steps(executionId);
    }

    @Override
    public Page<PartitionExecution> partitions(long stepExecutionId, Optional<String> cursor, int limit) {
        return explorer.partitions(stepExecutionId, cursor, limit);
    }

    @Override
    public Optional<String> stepEvidence(long stepExecutionId) {
        return explorer.stepEvidence(stepExecutionId);
    }

    @Override
    public Optional<String> partitionEvidence(long partitionExecutionId) {
        return explorer.partitionEvidence(partitionExecutionId);
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
