package dev.weighlock.batch.flow;

import dev.weighlock.batch.partition.Partitioning;
import java.util.function.Consumer;

/** What can be wrong with one step. */
final class StepCheck {
    private static final int MAX_CHUNK = 1_000_000;

    private final Step step;
    private final Consumer<String> problem;

    StepCheck(Step step, Consumer<String> problem) {
        this.step = step;
        this.problem = problem;
    }

    void check() {
        if (step.startLimit() < 1) {
            problem.accept("a start limit is at least 1, not " + step.startLimit());
        }
        step.partitioning().ifPresent(this::checkPartitioning);
        if (step instanceof ChunkStep<?, ?> chunk && (chunk.size() < 1 || chunk.size() > MAX_CHUNK)) {
            problem.accept("a chunk has 1 to 1000000 items, not " + chunk.size());
        }
    }

    private void checkPartitioning(Partitioning by) {
        if (by.workers() < 1 || by.workers() > Partitioning.MAX_WORKERS) {
            problem.accept("a partitioned step has 1 to 1024 workers, not " + by.workers());
        }
    }
}
