package dev.weighlock.batch.testkit.contract;

import dev.weighlock.batch.ExecutionContext;
import dev.weighlock.batch.chunk.ItemReader;
import dev.weighlock.batch.step.StepContext;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** A reader that fetches four items at a time behind the last key, beside chunks of other sizes. */
class PagedReaderContractTest extends ItemReaderContract<Long> {
    private static final int PAGE = 4;

    @Override
    protected ItemReader<Long> reader(StepContext context) {
        return new Paged();
    }

    @Override
    protected long number(Long item) {
        return item;
    }

    private static final class Paged implements ItemReader<Long> {
        private final Deque<Long> page = new ArrayDeque<>();
        private long lastKey;

        @Override
        public void open(ExecutionContext context, StepContext step) {
            lastKey = context.longValue("last key", 0);
        }

        @Override
        public @Nullable Long read() {
            if (page.isEmpty()) {
                LongStream.rangeClosed(lastKey + 1, Math.min(ITEMS, lastKey + PAGE))
                        .forEach(page::add);
            }
            var item = page.poll();
            lastKey = item == null ? lastKey : item;
            return item;
        }

        @Override
        public ExecutionContext update(ExecutionContext context) {
            return context.with("last key", lastKey);
        }
    }
}
