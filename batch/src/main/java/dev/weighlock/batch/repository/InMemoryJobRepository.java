package dev.weighlock.batch.repository;

import dev.weighlock.batch.BatchError;
import dev.weighlock.batch.BatchException;
import dev.weighlock.batch.BatchStatus;
import dev.weighlock.batch.FailureCategory;
import dev.weighlock.batch.FlowDecision;
import dev.weighlock.batch.JobExecution;
import dev.weighlock.batch.JobInstance;
import dev.weighlock.batch.JobName;
import dev.weighlock.batch.PartitionExecution;
import dev.weighlock.batch.StepExecution;
import dev.weighlock.batch.StepName;
import dev.weighlock.batch.StopRequest;
import dev.weighlock.batch.StoredDefinition;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntSupplier;
import java.util.function.LongConsumer;
import java.util.function.Supplier;

/**
 * A repository of plain maps, for tests and for embedding where nothing needs to outlive the process. One process, no
 * durability, no database to enlist writes in; its node is always alive, but a test may declare a node dead.
 *
 * <p>Thread-safe. One lock guards all maps and is held for the whole of each method; stop listeners run off it, on the
 * requester's or the registering thread. Closing changes nothing.
 */
public final class InMemoryJobRepository implements JobRepository {
    private final UUID id = UUID.randomUUID();
    private final ReentrantLock lock = new ReentrantLock();
    private final List<LongConsumer> stopListeners = new CopyOnWriteArrayList<>();
    private final MemoryTables tables;
    private final MemorySteps steps;
    private final MemoryPartitions partitions;
    private final MemoryExecutions executions;
    private final MemoryQueue queue;
    private final MemoryHolds holds;
    private final MemoryRetention retention;

    public InMemoryJobRepository() {
        this(Clock.systemUTC());
    }

    public InMemoryJobRepository(Clock clock) {
        tables = new MemoryTables(clock);
        steps = new MemorySteps(tables);
        partitions = new MemoryPartitions(tables);
        queue = new MemoryQueue(tables);
        holds = new MemoryHolds(tables);
        retention = new MemoryRetention(tables);
        executions = new MemoryExecutions(tables, queue, holds);
    }

    private <T> T locked(Supplier<T> work) {
        lock.lock();
        try {
            return work.get();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public UUID id() {
        return id;
    }

    @Override
    public RepositoryHealth health() {
        return new RepositoryHealth("memory", "", 0, new RepositoryHealth.Push(true, "in process"), Duration.ZERO);
    }

    @Override
    public void register(NodeInfo node) {
        locked(() -> tables.nodes.put(node.id(), node));
    }

    @Override
    public Optional<NodeInfo> node(String id) {
        return locked(() -> Optional.ofNullable(tables.nodes.get(id)));
    }

    /** For tests: from now on the node counts as dead, as if its process had been killed. */
    public void declareDead(String nodeId) {
        locked(() -> tables.deadNodes.add(nodeId));
    }

    @Override
    public List<DeadExecution> deadExecutions() {
        return locked(executions::dead);
    }

    @Override
    public boolean isNodeAlive(String nodeId) {
        return locked(() -> !tables.deadNodes.contains(nodeId));
    }

    @Override
    public boolean isOwnerAlive(JobExecution execution) {
        return locked(() -> !tables.deadNodes.contains(execution.ownerNode()));
    }

    @Override
    public JobExecution failDead(JobExecution dead, AuditEntry audit) {
        return locked(() -> {
            var failure = RepositoryRules.failure(FailureCategory.OWNER_LOST);
            var failed = executions.failDead(dead, failure, audit);
            steps.failActive(failed.id(), failed.epoch(), failure);
            return failed;
        });
    }

    @Override
    public LaunchDecision createExecution(LaunchRequest request) {
        return locked(() -> begun(request, executions.create(request)));
    }

    private LaunchDecision begun(LaunchRequest request, LaunchDecision decision) {
        if (decision instanceof LaunchDecision.Created created
                && created.execution().status() == BatchStatus.STARTED) {
            var first = request.first().orElseThrow();
            var step = steps.create(created.execution(), first.name(), 1, first.partitioned());
            return new LaunchDecision.Created(created.execution(), Optional.of(step));
        }
        return decision;
    }

    @Override
    public Optional<StoredDefinition> definition(String digest) {
        return locked(() -> Optional.ofNullable(tables.definitions.get(digest)));
    }

    @Override
    public JobExecution update(JobExecution current, JobChange change) {
        return locked(() -> executions.update(current, change));
    }

    @Override
    public JobExecution abandon(JobExecution current, AuditEntry audit) {
        return locked(() -> executions.abandon(current, audit));
    }

    @Override
    public JobExecution failUnknown(JobExecution current, AuditEntry audit) {
        return locked(() -> {
            var failure = RepositoryRules.failure(FailureCategory.OUTCOME_UNKNOWN);
            var failed = executions.failUnknown(current, failure, audit);
            steps.failUnknown(failed.id(), failure);
            return failed;
        });
    }

    @Override
    public void recordDecision(JobExecution execution, FlowDecision decision) {
        locked(() -> {
            executions.decide(execution, decision);
            return true;
        });
    }

    @Override
    public List<FlowDecision> decisions(long instanceId) {
        return locked(() -> executions.decisions(instanceId));
    }

    @Override
    public StepExecution createStep(JobExecution execution, StepName name, int startLimit, boolean partitioned) {
        return locked(() -> {
            executions.owned(execution);
            return steps.create(execution, name, startLimit, partitioned);
        });
    }

    @Override
    public Optional<StepExecution> lastStep(long instanceId, StepName name) {
        return locked(() -> steps.last(instanceId, name));
    }

    @Override
    public StepExecution update(StepExecution current, StepChange change, EnlistedWrite write) {
        refuse(write);
        return locked(() -> steps.update(current, change));
    }

    @Override
    public EndedTogether end(StepExecution step, StepChange stepChange, JobExecution execution, JobChange change) {
        return locked(() -> {
            RepositoryRules.check(step, stepChange, execution, change);
            executions.guarded(execution);
            var ended = steps.update(step, stepChange);
            return new EndedTogether(ended, executions.update(execution, change));
        });
    }

    @Override
    public StepExecution commitChunk(StepExecution current, Supplier<ChunkProgress> progress, EnlistedWrite write) {
        refuse(write);
        return locked(() -> steps.commitChunk(current, progress.get()));
    }

    private static void refuse(EnlistedWrite write) {
        if (!write.equals(EnlistedWrite.NONE)) {
            throw new BatchException(
                    BatchError.DELIVERY_UNAVAILABLE, "a repository in memory has no database to enlist a write in");
        }
    }

    @Override
    public void plan(StepExecution step, List<PlannedPartition> plan) {
        locked(() -> {
            steps.owned(step);
            partitions.plan(step, plan);
            return true;
        });
    }

    @Override
    public long copyPlan(StepExecution to) {
        return locked(() -> {
            steps.owned(to);
            return partitions.copyPlan(to, steps.attempts(to.instanceId(), to.name()));
        });
    }

    @Override
    public List<PartitionExecution> claim(StepExecution step, int most) {
        return locked(() -> {
            steps.owned(step);
            return partitions.claim(step, most);
        });
    }

    @Override
    public PartitionExecution update(
            StepExecution step, PartitionExecution current, PartitionChange change, EnlistedWrite write) {
        refuse(write);
        return locked(() -> {
            RepositoryRules.check(current, change);
            RepositoryBounds.partitionContext(change.context());
            RepositoryBounds.evidence(change.evidence());
            return partitions.update(steps.owned(step), current, change);
        });
    }

    @Override
    public PartitionTurn updateAndClaim(
            StepExecution step,
            PartitionExecution current,
            PartitionChange change,
            EnlistedWrite write,
            IntSupplier most) {
        int wanted = most.getAsInt();
        return locked(() -> {
            var ended = update(step, current, change, write);
            return new PartitionTurn(ended, wanted > 0 ? claim(step, wanted) : List.of());
        });
    }

    @Override
    public PartitionExecution commitChunk(
            StepExecution step, PartitionExecution current, Supplier<ChunkProgress> progress, EnlistedWrite write) {
        refuse(write);
        return locked(() -> partitions.commitChunk(steps.owned(step), current, progress.get()));
    }

    @Override
    public long stopPlanned(StepExecution step) {
        return locked(() -> {
            steps.owned(step);
            return partitions.stopPlanned(step);
        });
    }

    @Override
    public PartitionTotals totals(StepExecution step) {
        return locked(() -> partitions.totals(step.id()));
    }

    @Override
    public StopDecision requestStop(long executionId, OptionalLong expectedVersion, String actor, String reason) {
        var decision = locked(() -> executions.requestStop(executionId, expectedVersion, actor, reason));
        if (decision instanceof StopDecision.Requested) {
            stopListeners.forEach(listener -> listener.accept(executionId));
        }
        return decision;
    }

    @Override
    public List<StopRequest> pendingStops() {
        return locked(executions::pendingStops);
    }

    /** For tests: every audited act, in order. */
    public List<AuditEntry> audit() {
        return locked(() -> tables.audit.stream().map(AuditRecord::entry).toList());
    }

    @Override
    public List<AuditRecord> auditTrail(long executionId, int limit) {
        return locked(() -> holds.trail(executionId, limit));
    }

    @Override
    public Optional<AuditRecord> audited(String key) {
        return locked(() -> holds.audited(key));
    }

    @Override
    public void audit(AuditEntry entry) {
        locked(() -> {
            tables.audited(OptionalLong.empty(), entry);
            return true;
        });
    }

    @Override
    public List<QueuedLaunch> queuedLaunches(Optional<JobName> job, int limit) {
        return locked(() -> queue.waiting(job).stream().limit(limit).toList());
    }

    @Override
    public Optional<QueuedLaunch> queuedLaunch(long requestId) {
        return locked(() -> Optional.ofNullable(tables.requests.get(requestId)));
    }

    @Override
    public QueuedLaunch cancelQueued(long requestId, AuditEntry entry) {
        return locked(() -> queue.cancel(requestId, entry));
    }

    @Override
    public Optional<Hold> hold(long instanceId) {
        return locked(() -> holds.of(instanceId));
    }

    @Override
    public Hold placeHold(JobExecution execution, AuditEntry entry) {
        return locked(() -> holds.place(execution, entry));
    }

    @Override
    public boolean releaseHold(JobExecution execution, AuditEntry entry) {
        return locked(() -> holds.release(execution, entry));
    }

    @Override
    public List<PurgeCandidate> purgeable(PurgeRule rule, Optional<PurgeCandidate> after, int limit) {
        return locked(() -> retention.purgeable(rule, after, limit));
    }

    @Override
    public List<PurgedInstance> beginPurge(PurgeRule rule, List<PurgeCandidate> candidates) {
        return locked(() -> retention.begin(rule, candidates));
    }

    @Override
    public long purge(int mostRows) {
        return locked(() -> retention.purge(mostRows));
    }

    @Override
    public long purgeQueue(PurgeRule rule, int most) {
        return locked(() -> retention.purgeQueue(rule, most));
    }

    @Override
    public AutoCloseable onStopRequested(LongConsumer listener) {
        stopListeners.add(listener);
        pendingStops().forEach(request -> listener.accept(request.executionId()));
        return () -> stopListeners.remove(listener);
    }

    @Override
    public Optional<JobInstance> instance(JobName job, String identity) {
        return locked(() -> Optional.ofNullable(tables.instances.get(new MemoryTables.InstanceKey(job, identity))));
    }

    @Override
    public Optional<JobExecution> execution(long executionId) {
        return locked(() -> Optional.ofNullable(tables.executions.get(executionId)));
    }

    @Override
    public Optional<JobExecution> lastExecution(long instanceId) {
        return locked(() -> executions.last(instanceId));
    }

    @Override
    public Page<JobSummary> jobs(Optional<String> cursor, int limit) {
        return locked(() -> executions.jobs(cursor, limit));
    }

    @Override
    public Page<JobExecution> executions(Optional<JobName> job, Optional<String> cursor, int limit) {
        return locked(() -> executions.page(job, cursor, limit));
    }

    @Override
    public List<StepExecution> steps(long executionId) {
        return locked(() -> steps.of(executionId));
    }

    @Override
    public Page<PartitionExecution> partitions(long stepExecutionId, Optional<String> cursor, int limit) {
        return locked(() -> partitions.page(stepExecutionId, cursor, limit));
    }

    @Override
    public Optional<String> stepEvidence(long stepExecutionId) {
        return locked(() -> Optional.ofNullable(tables.stepEvidence.get(stepExecutionId)));
    }

    @Override
    public Optional<String> partitionEvidence(long partitionExecutionId) {
        return locked(() -> Optional.ofNullable(tables.partitionEvidence.get(partitionExecutionId)));
    }

    @Override
    public void close() {}
}
