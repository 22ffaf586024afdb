package dev.weighlock.bench.spring;

import dev.weighlock.bench.postgres.Item;
import org.jspecify.annotations.Nullable;
import org.springframework.batch.infrastructure.item.ExecutionContext;
import org.springframework.batch.infrastructure.item.ItemStreamReader;

/** Items up to a count, from the stored position on. */
final class Numbered implements ItemStreamReader<Item> {
    private final long count;
    private long position;

    Numbered(long count) {
        this.count = count;
    }

    @Override
    public void open(ExecutionContext context) {
        position = context.getLong("position", 0);
    }

    @Override
    public @Nullable Item read() {
        return position == count ? null : Item.of(position++);
    }

    @Override
    public void update(ExecutionContext context) {
        context.putLong("position", position);
    }
}
