package dev.weighlock.batch.chunk;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A chunk processor that takes one item after the other. */
final class ItemByItem<I, O> implements ChunkProcessor<I, O> {
    private final ItemProcessor<? super I, ? extends O> processor;

    ItemByItem(ItemProcessor<? super I, ? extends O> processor) {
        this.processor = processor;
    }

    @Override
    public boolean isItemwise() {
        return true;
    }

    @Override
    public List<@Nullable O> process(List<I> items) throws Exception {
        var results = new ArrayList<@Nullable O>(items.size());
        for (var item : items) {
            results.add(processor.process(item));
        }
        return results;
    }
}
