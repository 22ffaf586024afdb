package dev.weighlock.batch.repository;

import dev.weighlock.batch.BatchError;
import dev.weighlock.batch.BatchException;
import dev.weighlock.batch.ExecutionContext;
import dev.weighlock.batch.FlowDecision;
import dev.weighlock.batch.JobExecution;
import dev.weighlock.batch.JobInstance;
import dev.weighlock.batch.JobName;
import dev.weighlock.batch.PartitionExecution;
import dev.weighlock.batch.StepExecution;
import dev.weighlock.batch.StepName;
import dev.weighlock.batch.StopRequest;
import dev.weighlock.batch.StoredDefinition;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import java.util.function.LongConsumer;
import java.util.function.Supplier;

/**
 * Where the runtime keeps what it did. Each method is one transaction.
 *
 * <p>Guards: a lifecycle write carries version, epoch and status of the value it was given; a chunk or partition write
 * carries version or claim, and the epoch. A write whose guard does not hold changes nothing and throws
 * {@link BatchException} with {@link BatchError#FENCED} when the epoch moved, else {@link BatchError#STALE_VERSION};
 * a transition that the status machine forbids throws {@link BatchError#ILLEGAL_TRANSITION} before anything is sent. A
 * repository that cannot be reached throws {@link BatchError#REPOSITORY_UNAVAILABLE}; a COMMIT without an answer that
 * cannot be read back throws {@link BatchError#COMMIT_OUTCOME_UNKNOWN}.
 *
 * <p>Thread-safe. Calls may be native and block: from platform threads only. Whoever opened it closes it, after the
 * node's executions are over.
 */
public interface JobRepository extends LaunchQueue, Holds, AuditTrail, Retention, AutoCloseable {
    /** Random and made with the repository; keys this repository's checkpoints in target databases. */
    UUID id();

    /** How it is, as seen by one look. */
    RepositoryHealth health();

    /** How many connections its pool has for running work; empty where no number of them is too small. */
    default OptionalInt connections() {
        return OptionalInt.empty();
    }

    // Nodes

    /** Makes this process a node and begins its proof of life. At most one node a repository object. */
    void register(NodeInfo node);

    /**
     * Why this process may own nothing at present: it has not renewed its proof of life for so long that others may soon
     * take it for dead. Empty where it may, and always where the proof cannot lapse. Answers at once, without a look into
     * the database.
     */
    default Optional<String> unfit() {
        return Optional.empty();
    }

    /**
     * Tells {@code listener} why the registered node may have lost what it owns: its proof of life had lapsed, if only
     * until now. What it ran by then it gives up; once {@link #unfit} is empty it may begin anew. Runs on a thread of the
     * repository, before the proof is renewed, and must return quickly.
     *
     * @return closing it ends the calls
     */
    default AutoCloseable onLapse(Consumer<String> listener) {
        return () -> {};
    }

    /** The node of this id, for people; empty when it is long gone. */
    default Optional<NodeInfo> node(String id) {
        return Optional.empty();
    }

    /** Every active execution whose owner is provably dead; never one of a live owner. */
    List<DeadExecution> deadExecutions();

    /** Whether a node's process is alive, as far as can be told: false only with proof of death. */
    boolean isNodeAlive(String nodeId);

    /** Whether the process that owns the execution is alive, as far as can be told: false only with proof of death. */
    boolean isOwnerAlive(JobExecution execution);

    /**
     * Takes a dead owner's execution over and ends it: epoch + 1 on the job and its active rows; job, active steps and
     * started partitions FAILED with {@code OWNER_LOST}, planned partitions STOPPED.
     *
     * @throws BatchException ALREADY_RUNNING when the owner is alive, STALE_VERSION when somebody else was first
     */
    JobExecution failDead(JobExecution dead, AuditEntry audit);

    // Launch

    LaunchDecision createExecution(LaunchRequest request);

    Optional<StoredDefinition> definition(String digest);

    // Lifecycle of a job execution

    /** Writes {@code change} guarded by {@code current} and returns the successor. */
    JobExecution update(JobExecution current, JobChange change);

    /**
     * STOPPED, FAILED or UNKNOWN becomes ABANDONED.
     *
     * @throws BatchException STALE_VERSION for an attempt that a later one superseded
     */
    JobExecution abandon(JobExecution current, AuditEntry audit);

    /** UNKNOWN becomes FAILED with {@code OUTCOME_UNKNOWN}, also in its steps: the audited decision of a person. */
    JobExecution failUnknown(JobExecution current, AuditEntry audit);

    /** Commits a decision before its target starts; one a node and execution. */
    void recordDecision(JobExecution execution, FlowDecision decision);

    /** The instance's latest decision of each node, in the order taken. */
    List<FlowDecision> decisions(long instanceId);

    // Steps

    /**
     * Begins a step attempt, STARTED, carrying the context of the last attempt that did not complete.
     *
     * @param startLimit the most attempts the instance allows, checked in the creating transaction
     * @throws BatchException START_LIMIT_EXCEEDED
     */
    StepExecution createStep(JobExecution execution, StepName name, int startLimit, boolean partitioned);

    /** The instance's latest attempt at the step. */
    Optional<StepExecution> lastStep(long instanceId, StepName name);

    /** The terminal write of a step, together with an enlisted write. */
    StepExecution update(StepExecution current, StepChange change, EnlistedWrite write);

    /**
     * The terminal write of an execution's last step and of the execution itself: both or neither. An enlisted write goes with
     * the step's own end instead, so that a stop can be stored while it runs.
     *
     * @param step COMPLETED by {@code stepChange}
     * @param change COMPLETED, or STOPPED where a stop was seen
     */
    EndedTogether end(StepExecution step, StepChange stepChange, JobExecution execution, JobChange change);

    /**
     * Commits a chunk: the enlisted write, then counts and context of the step.
     *
     * @param progress asked for once the write is done, because what was written may belong to it; in the transaction
     * @throws BatchException DELIVERY_UNAVAILABLE for an enlisted write where there is no database to enlist in
     */
    StepExecution commitChunk(StepExecution current, Supplier<ChunkProgress> progress, EnlistedWrite write);

    /** The same for progress that no write changes. */
    default StepExecution commitChunk(StepExecution current, ChunkProgress progress, EnlistedWrite write) {
        return commitChunk(current, () -> progress, write);
    }

    // Partitions

    /** Stores the whole plan of a step, before any of it starts. */
    void plan(StepExecution step, List<PlannedPartition> plan);

    /**
     * Copies the plan that the instance's latest earlier attempt at this step stored, not looking behind an attempt that
     * completed: a step that may run again plans anew then. Completed partitions are carried over with their counts,
     * context and evidence, the others are PLANNED with their context and zero counts.
     *
     * @return how many partitions {@code to} has now; 0 when no earlier attempt stored a plan
     */
    long copyPlan(StepExecution to);

    /** Takes up to {@code most} planned partitions in plan order: STARTED, claim raised. Empty: none is left. */
    List<PartitionExecution> claim(StepExecution step, int most);

    /** The terminal write of a claimed partition, together with an enlisted write. */
    PartitionExecution update(
            StepExecution step, PartitionExecution current, PartitionChange change, EnlistedWrite write);

    /**
     * The same, and takes planned partitions by the same write as {@link #claim} does.
     *
     * @param most how many; asked once, when the enlisted write is done. Meanwhile nobody else may claim for this step
     */
    PartitionTurn updateAndClaim(
            StepExecution step,
            PartitionExecution current,
            PartitionChange change,
            EnlistedWrite write,
            IntSupplier most);

    /**
     * Commits a chunk of a claimed partition.
     *
     * @param progress asked for once the write is done; in the transaction
     */
    PartitionExecution commitChunk(
            StepExecution step, PartitionExecution current, Supplier<ChunkProgress> progress, EnlistedWrite write);

    /** The same for progress that no write changes. */
    default PartitionExecution commitChunk(
            StepExecution step, PartitionExecution current, ChunkProgress progress, EnlistedWrite write) {
        return commitChunk(step, current, () -> progress, write);
    }

    /** PLANNED partitions become STOPPED in one statement; returns how many. */
    long stopPlanned(StepExecution step);

    PartitionTotals totals(StepExecution step);

    // Stop

    /**
     * Asks for a stop. Repeats are harmless and keep the first request; a finished execution refuses.
     *
     * @param expectedVersion when present, the version the execution must have
     * @param reason for the audit; may be empty
     */
    StopDecision requestStop(long executionId, OptionalLong expectedVersion, String actor, String reason);

    /** The same without a reason. */
    default StopDecision requestStop(long executionId, OptionalLong expectedVersion, String actor) {
        return requestStop(executionId, expectedVersion, actor, "");
    }

    /** Requests for active executions that the registered node owns. */
    List<StopRequest> pendingStops();

    /**
     * Tells {@code listener} the id of an owned execution for which a stop was requested, from any process, as soon as
     * the repository learns of it; may repeat. Runs on a thread of the repository and must return quickly.
     *
     * @return closing it ends the calls
     */
    AutoCloseable onStopRequested(LongConsumer listener);

    // Explorer

    Optional<JobInstance> instance(JobName job, String identity);

    Optional<JobExecution> execution(long executionId);

    /** The instance's newest execution. */
    Optional<JobExecution> lastExecution(long instanceId);

    Page<JobSummary> jobs(Optional<String> cursor, int limit);

    /** @param job only executions of this job; empty for all */
    Page<JobExecution> executions(Optional<JobName> job, Optional<String> cursor, int limit);

    /** The execution's steps in the order begun. */
    List<StepExecution> steps(long executionId);

    /** In plan order. */
    Page<PartitionExecution> partitions(long stepExecutionId, Optional<String> cursor, int limit);

    Optional<String> stepEvidence(long stepExecutionId);

    Optional<String> partitionEvidence(long partitionExecutionId);

    /** A step's stored context of any execution, for {@code :STEP_context_KEY}. */
    default ExecutionContext stepContext(long instanceId, StepName name) {
        return lastStep(instanceId, name).map(StepExecution::context).orElse(ExecutionContext.EMPTY);
    }

    /** Ends the proof of life last. Executions still active afterwards belong to a dead node. */
    @Override
    void close();
}
