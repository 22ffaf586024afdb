package dev.weighlock.batch.run;

import dev.weighlock.batch.PartitionExecution;
import dev.weighlock.batch.StepExecution;
import dev.weighlock.batch.flow.ChunkStep;
import dev.weighlock.batch.flow.Step;
import dev.weighlock.batch.repository.JobRepository;
import dev.weighlock.batch.repository.Page;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/**
 * How many items a step may still skip, over all its attempts and partitions. A skip is booked when it happens and given
 * back when its chunk is not committed. Thread-safe.
 */
final class SkipBudget {
    private static final int PAGE = 1000;

    private final AtomicLong left;

    private SkipBudget(long left) {
        this.left = new AtomicLong(left);
    }

    static SkipBudget of(Step step, WorkRow row) {
        return new SkipBudget(
                limit(step) - ChunkPosition.of(row.context()).totals().skipped());
    }

    static SkipBudget ofPartitions(Step step, JobRepository repository, StepExecution execution) {
        long limit = limit(step);
        return new SkipBudget(limit == 0 ? 0 : limit - skipped(repository, execution));
    }

    /** Read from the stored partitions, so that a restart counts what its predecessors skipped. */
    private static long skipped(JobRepository repository, StepExecution execution) {
        long skipped = 0;
        Optional<String> cursor = Optional.empty();
        do {
            Page<PartitionExecution> page = repository.partitions(execution.id(), cursor, PAGE);
            for (var partition : page.items()) {
                skipped += ChunkPosition.of(partition.context()).totals().skipped();
            }
            cursor = page.next();
        } while (cursor.isPresent());
        return skipped;
    }

    private static long limit(Step step) {
        return step instanceof ChunkStep<?, ?> chunk ? chunk.skip().limit() : 0;
    }

    boolean tryTake() {
        return left.getAndUpdate(count -> count > 0 ? count - 1 : count) > 0;
    }

    /** Books skips that a target had committed and the repository did not know of. */
    void take(long items) {
        left.addAndGet(-items);
    }

    void giveBack(long items) {
        left.addAndGet(items);
    }
}
