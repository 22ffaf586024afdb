package dev.weighlock.batch.partition;

import dev.weighlock.batch.PartitionExecution;
import dev.weighlock.batch.repository.PartitionChange;
import dev.weighlock.batch.step.StepContext;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.IntSupplier;

/** A partitioned step's work as a {@link PartitionHandler} sees it. Thread-safe; from platform threads only. */
public interface PartitionWork {
    /** The most workers at once. */
    int workers();

    /** The step as its planner saw it; its token fires on a stop and when a failed sibling cancels the others. */
    StepContext step();

    /** Threads that the runtime owns and joins: one task a worker. */
    Executor executor();

    /** Takes up to so many partitions, durably; empty when none is left or the work shall end. */
    List<PartitionExecution> claim(int most);

    /** Runs a claimed partition's body on this thread and stores its outcome. Never throws for a failing body. */
    void run(PartitionExecution claimed);

    /**
     * The same; the write of its outcome takes up to so many more.
     *
     * @param more asked at most once, right before they are taken; meanwhile nobody else may claim. Not asked for a
     *     partition that did not complete, nor when the work shall end
     * @return those taken
     */
    List<PartitionExecution> run(PartitionExecution claimed, IntSupplier more);

    /** Stores the outcome of a claimed partition that ran elsewhere. */
    void finish(PartitionExecution claimed, PartitionChange outcome);
}
