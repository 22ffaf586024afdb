package dev.weighlock.batch.jdbc.store;

import dev.weighlock.batch.FlowDecision;
import dev.weighlock.batch.JobExecution;
import dev.weighlock.batch.JobInstance;
import dev.weighlock.batch.JobName;
import dev.weighlock.batch.PartitionExecution;
import dev.weighlock.batch.StepExecution;
import dev.weighlock.batch.StepName;
import dev.weighlock.batch.StoredDefinition;
import dev.weighlock.batch.repository.AuditEntry;
import dev.weighlock.batch.repository.AuditRecord;
import dev.weighlock.batch.repository.ChunkProgress;
import dev.weighlock.batch.repository.EnlistedWrite;
import dev.weighlock.batch.repository.Hold;
import dev.weighlock.batch.repository.JobChange;
import dev.weighlock.batch.repository.JobRepository;
import dev.weighlock.batch.repository.JobSummary;
import dev.weighlock.batch.repository.Page;
import dev.weighlock.batch.repository.PartitionChange;
import dev.weighlock.batch.repository.PartitionTotals;
import dev.weighlock.batch.repository.PartitionTurn;
import dev.weighlock.batch.repository.PlannedPartition;
import dev.weighlock.batch.repository.PurgeCandidate;
import dev.weighlock.batch.repository.PurgeRule;
import dev.weighlock.batch.repository.PurgedInstance;
import dev.weighlock.batch.repository.QueuedLaunch;
import dev.weighlock.batch.repository.StepChange;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

/**
 * What every repository in a database does alike: the lifecycle of executions, steps and partitions, and the listings.
 * Nodes, launches, joint ends
 * and stops are the database's own.
 *
 * <p>Thread-safe, as its database is.
 */
public abstract class StoredRepository implements JobRepository {
    private final StoreDatabase database;
    private final ExecutionStore executions;
    private final StepStore steps;
    private final PlanStore plans;
    private final PartitionStore partitions;
    private final Explorer explorer;
    private final QueueStore queue;
    private final HoldStore holds;
    private final RetentionStore retention;

    protected StoredRepository(StoreDatabase database) {
        this.database = database;
        this.executions = new ExecutionStore(database);
        this.steps = new StepStore(database);
        this.plans = new PlanStore(database);
        this.partitions = new PartitionStore(database);
        this.explorer = new Explorer(database);
        this.queue = new QueueStore(database);
        this.holds = new HoldStore(database);
        this.retention = new RetentionStore(database);
    }

    @Override
    public final UUID id() {
        return database.read(
                session -> session.sql("SELECT id FROM repository").one(row -> UUID.fromString(row.text("id"))));
    }

    @Override
    public final Optional<StoredDefinition> definition(String digest) {
        return explorer.definition(digest);
    }

    @Override
    public final JobExecution update(JobExecution current, JobChange change) {
        return executions.update(current, change);
    }

    @Override
    public final JobExecution abandon(JobExecution current, AuditEntry audit) {
        return executions.abandon(current, audit);
    }

    @Override
    public final JobExecution failUnknown(JobExecution current, AuditEntry audit) {
        return executions.failUnknown(current, audit);
    }

    @Override
    public final void recordDecision(JobExecution execution, FlowDecision decision) {
        executions.record(execution, decision);
    }

    @Override
    public final List<FlowDecision> decisions(long instanceId) {
        return executions.decisions(instanceId);
    }

    @Override
    public final StepExecution createStep(JobExecution execution, StepName name, int startLimit, boolean partitioned) {
        return steps.create(execution, name, startLimit, partitioned);
    }

    @Override
    public final Optional<StepExecution> lastStep(long instanceId, StepName name) {
        return steps.last(instanceId, name);
    }

    @Override
    public final StepExecution update(StepExecution current, StepChange change, EnlistedWrite write) {
        return steps.update(current, change, write);
    }

    @Override
    public final StepExecution commitChunk(
            StepExecution current, Supplier<ChunkProgress> progress, EnlistedWrite write) {
        return steps.commitChunk(current, progress, write);
    }

    @Override
    public final void plan(StepExecution step, List<PlannedPartition> plan) {
        plans.plan(step, plan);
    }

    @Override
    public final long copyPlan(StepExecution to) {
        return plans.copy(to);
    }

    @Override
    public final List<PartitionExecution> claim(StepExecution step, int most) {
        return partitions.claim(step, most);
    }

    @Override
    public final PartitionExecution update(
            StepExecution step, PartitionExecution current, PartitionChange change, EnlistedWrite write) {
        return partitions.update(step, current, change, write);
    }

    @Override
    public final PartitionTurn updateAndClaim(
            StepExecution step,
            PartitionExecution current,
            PartitionChange change,
            EnlistedWrite write,
            IntSupplier most) {
        return partitions.updateAndClaim(step, current, change, write, most);
    }

    @Override
    public final PartitionExecution commitChunk(
            StepExecution step, PartitionExecution current, Supplier<ChunkProgress> progress, EnlistedWrite write) {
        return partitions.commitChunk(step, current, progress, write);
    }

    @Override
    public final long stopPlanned(StepExecution step) {
        return partitions.stopPlanned(step);
    }

    @Override
    public final PartitionTotals totals(StepExecution step) {
        return partitions.totals(step);
    }

    @Override
    public final Optional<JobInstance> instance(JobName job, String identity) {
        return explorer.instance(job, identity);
    }

    @Override
    public final Optional<JobExecution> execution(long executionId) {
        return explorer.execution(executionId);
    }

    @Override
    public final Optional<JobExecution> lastExecution(long instanceId) {
        return explorer.lastExecution(instanceId);
    }

    @Override
    public final Page<JobSummary> jobs(Optional<String> cursor, int limit) {
        return explorer.jobs(cursor, limit);
    }

    @Override
    public final Page<JobExecution> executions(Optional<JobName> job, Optional<String> cursor, int limit) {
        return explorer.executions(job, cursor, limit);
    }

    @Override
    public final List<StepExecution> steps(long executionId) {
        return explorer.steps(executionId);
    }

    @Override
    public final Page<PartitionExecution> partitions(long stepExecutionId, Optional<String> cursor, int limit) {
        return explorer.partitions(stepExecutionId, cursor, limit);
    }

    @Override
    public final Optional<String> stepEvidence(long stepExecutionId) {
        return explorer.stepEvidence(stepExecutionId);
    }

    @Override
    public final Optional<String> partitionEvidence(long partitionExecutionId) {
        return explorer.partitionEvidence(partitionExecutionId);
    }

    @Override
    public final List<QueuedLaunch> queuedLaunches(Optional<JobName> job, int limit) {
        return queue.waiting(job, limit);
    }

    @Override
    public final Optional<QueuedLaunch> queuedLaunch(long id) {
        return queue.find(id);
    }

    @Override
    public final QueuedLaunch cancelQueued(long id, AuditEntry audit) {
        return queue.cancel(id, audit);
    }

    @Override
    public final Optional<Hold> hold(long instanceId) {
        return holds.find(instanceId);
    }

    @Override
    public final Hold placeHold(JobExecution execution, AuditEntry audit) {
        return holds.place(execution, audit);
    }

    @Override
    public final boolean releaseHold(JobExecution execution, AuditEntry audit) {
        return holds.release(execution, audit);
    }

    @Override
    public final List<AuditRecord> auditTrail(long executionId, int limit) {
        return holds.trail(executionId, limit);
    }

    @Override
    public final Optional<AuditRecord> audited(String key) {
        return holds.audited(key);
    }

    @Override
    public final void audit(AuditEntry entry) {
        holds.audit(entry);
    }

    @Override
    public final List<PurgeCandidate> purgeable(PurgeRule rule, Optional<PurgeCandidate> after, int limit) {
        return retention.purgeable(rule, after, limit);
    }

    @Override
    public final List<PurgedInstance> beginPurge(PurgeRule rule, List<PurgeCandidate> candidates) {
        return retention.begin(rule, candidates);
    }

    @Override
    public final long purge(int mostRows) {
        return retention.purge(mostRows);
    }

    @Override
    public final long purgeQueue(PurgeRule rule, int most) {
        return retention.purgeQueue(rule, most);
    }
}
