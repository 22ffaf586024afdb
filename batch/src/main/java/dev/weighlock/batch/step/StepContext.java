package dev.weighlock.batch.step;

import dev.weighlock.batch.ExecutionContext;
import dev.weighlock.batch.StepCounts;
import dev.weighlock.batch.StepName;
import dev.weighlock.batch.repository.EnlistedWrite;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What a step's code sees while it runs; in a partitioned step, one per partition. */
public interface StepContext extends JobContext {
    StepName step();

    long stepExecutionId();

    /** 1 for the first execution of this step in the instance. */
    int attempt();

    /** The partition that this code works on; empty in a step without partitions and in its planner. */
    Optional<PartitionScope> partition();

    /** The step's (or partition's) context: what the last attempt that did not complete left, and what was put since. */
    ExecutionContext context();

    /**
     * Sets one value of {@link #context}. Stored with the step's next commit, at the latest its end. Keys that begin with
     * {@code weighlock.} belong to the runtime.
     */
    void put(String key, @Nullable Object value);

    /**
     * Sets one value of {@link #jobContext}, at once for everybody in this run. It is stored with the step's next commit,
     * like {@link #put}, so a restart finds what a completed step put, however the run ended.
     *
     * @throws dev.weighlock.batch.BatchException INVALID_DEFINITION in a partition, TOO_LARGE beyond 64 KiB of JSON
     */
    void putInJob(String key, @Nullable Object value);

    /**
     * Evidence of what the step did, stored at its end in place of earlier evidence.
     *
     * @param json at most 256 KiB
     */
    void evidence(String json);

    /** Counts that a tasklet wants recorded; read = written + filtered + skipped must hold. A chunk step counts itself. */
    void counts(StepCounts counts);

    /**
     * A write that commits together with this step's or partition's end, on the repository's own database. Dropped when
     * the work does not complete.
     */
    void enlist(EnlistedWrite write);
}
