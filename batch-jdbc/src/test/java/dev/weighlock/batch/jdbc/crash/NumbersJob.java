package dev.weighlock.batch.jdbc.crash;

import dev.weighlock.batch.ExecutionContext;
import dev.weighlock.batch.chunk.Delivery;
import dev.weighlock.batch.chunk.ItemReader;
import dev.weighlock.batch.flow.ChunkStep;
import dev.weighlock.batch.flow.Job;
import dev.weighlock.batch.flow.TaskletStep;
import dev.weighlock.batch.jdbc.target.Database;
import dev.weighlock.batch.jdbc.target.DatabaseSettings;
import dev.weighlock.batch.jdbc.target.JdbcWriter;
import dev.weighlock.batch.jdbc.target.RowLayout;
import dev.weighlock.batch.jdbc.target.WriteMode;
import dev.weighlock.batch.partition.Partitioning;
import dev.weighlock.batch.step.PartitionScope;
import dev.weighlock.batch.step.StepContext;
import dev.weighlock.batch.tasklet.TaskletOutcome;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** A job that writes numbers into a table {@code item}, each exactly once. */
final class NumbersJob {
    static final int ITEMS = 40;

    private static final int CHUNK = 5;
    private static final RowLayout LAYOUT = new RowLayout("item", List.of("id"), WriteMode.INSERT, List.of());

    private NumbersJob() {}

    static DatabaseSettings settings(String url) {
        return new DatabaseSettings(
                "target", url, () -> Optional.of("postgres"), () -> Optional.of("any"), Optional.empty(), true);
    }

    static Job into(Database target, String name, int partitions) {
        return of(name, partitions, target.delivery(), LAYOUT);
    }

    /** Into a table of the repository's own database. */
    static Job enlisted(String name, String table) {
        return of(
                name,
                0,
                Delivery.sameResource(),
                new RowLayout("public." + table, List.of("id"), WriteMode.INSERT, List.of()));
    }

    private static Job of(String name, int partitions, Delivery delivery, RowLayout layout) {
        var step = ChunkStep.<Long>copying("load", Numbers::of, context -> new JdbcWriter<Long>(layout, List::of))
                .size(CHUNK)
                .delivery(delivery);
        if (partitions > 0) {
            var keys = IntStream.range(0, partitions).mapToObj(i -> "p" + i).toList();
            step.partitioned(Partitioning.keys(keys).withWorkers(2));
        }
        // A second step, so that a decision is recorded on the way to it.
        return Job.named(name)
                .step(step.build())
                .step(TaskletStep.of("done", context -> TaskletOutcome.COMPLETED))
                .recovery(Job.Recovery.RESTART)
                .build();
    }

    /** The numbers of one partition, from the stored position on. */
    private static final class Numbers implements ItemReader<Long> {
        private final long first;
        private long read;

        private Numbers(long first) {
            this.first = first;
        }

        static Numbers of(StepContext context) {
            return new Numbers(context.partition().map(PartitionScope::ordinal).orElse(0) * (long) ITEMS);
        }

        @Override
        public void open(ExecutionContext context, StepContext step) {
            read = context.longValue("read", 0);
        }

        @Override
        public @Nullable Long read() {
            return read == ITEMS ? null : first + read++;
        }

        @Override
        public ExecutionContext update(ExecutionContext context) {
            return context.with("read", read);
        }
    }
}
