package dev.weighlock.batch.run;

import dev.weighlock.batch.ExecutionContext;
import dev.weighlock.batch.chunk.ChunkContext;
import dev.weighlock.batch.chunk.ItemReader;
import dev.weighlock.batch.chunk.ItemWriter;
import dev.weighlock.batch.step.StepContext;
import dev.weighlock.batch.testing.MemoryTarget;
import java.util.List;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** Readers and writers of numbered items that keep their position. */
final class Items {
    private Items() {}

    /** Gives 1 to {@code count}; {@code before} is called with each number before it is given and may throw. */
    static ItemReader.Factory<Long> upTo(long count, LongConsumer before) {
        return step -> new Counter(count, before);
    }

    static ItemReader.Factory<Long> upTo(long count) {
        return upTo(count, number -> {});
    }

    private static final class Counter implements ItemReader<Long> {
        private final long count;
        private final LongConsumer before;
        private long position;

        Counter(long count, LongConsumer before) {
            this.count = count;
            this.before = before;
        }

        @Override
        public void open(ExecutionContext context, StepContext step) {
            position = context.longValue("position", 0);
        }

        @Override
        public @Nullable Long read() {
            if (position == count) {
                return null;
            }
            position++;
            before.accept(position);
            return position;
        }

        @Override
        public ExecutionContext update(ExecutionContext context) {
            return context.with("position", position);
        }
    }

    /** Adds rows to the step's target; {@code before} may throw. */
    static <T> ItemWriter.Factory<T> toTarget(LongConsumer before) {
        return step -> new ItemWriter<>() {
            @Override
            public void write(List<T> items, ChunkContext chunk) {
                for (var item : items) {
                    before.accept(((Number) item).longValue());
                    chunk.transaction(MemoryTarget.Rows.class).add(item);
                }
            }
        };
    }
}
