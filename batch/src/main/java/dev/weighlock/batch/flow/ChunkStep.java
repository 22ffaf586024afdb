package dev.weighlock.batch.flow;

import dev.weighlock.batch.StepName;
import dev.weighlock.batch.chunk.ChunkListener;
import dev.weighlock.batch.chunk.ChunkProcessor;
import dev.weighlock.batch.chunk.Delivery;
import dev.weighlock.batch.chunk.InFlight;
import dev.weighlock.batch.chunk.ItemListener;
import dev.weighlock.batch.chunk.ItemProcessor;
import dev.weighlock.batch.chunk.ItemReader;
import dev.weighlock.batch.chunk.ItemWork;
import dev.weighlock.batch.chunk.ItemWriter;
import dev.weighlock.batch.chunk.RetryPolicy;
import dev.weighlock.batch.chunk.SkipPolicy;
import java.util.ArrayList;
import java.util.List;

/**
 * A step that reads, processes and writes items chunk by chunk, once or once a partition.
 *
 * @param work its reader, processor and writer
 * @param size the most items a chunk reads
 * @param readAhead whether the next chunk may be read and processed while one commits; not part of the fingerprint
 */
public record ChunkStep<I, O>(
        StepName name,
        String kind,
        String revision,
        ItemWork<I, O> work,
        int size,
        Delivery delivery,
        InFlight inFlight,
        RetryPolicy retry,
        SkipPolicy skip,
        boolean readAhead,
        List<ChunkListener> chunkListeners,
        List<ItemListener> itemListeners,
        StepSettings settings)
        implements Step {
    public static final int DEFAULT_SIZE = 1000;

    public ChunkStep {
        chunkListeners = List.copyOf(chunkListeners);
        itemListeners = List.copyOf(itemListeners);
    }

    /** Items are written as they are read. */
    public static <T> Builder<T, T> copying(
            String name, ItemReader.Factory<? extends T> reader, ItemWriter.Factory<? super T> writer) {
        return processing(name, reader, step -> item -> item, writer);
    }

    public static <I, O> Builder<I, O> processing(
            String name,
            ItemReader.Factory<? extends I> reader,
            ItemProcessor.Factory<I, O> processor,
            ItemWriter.Factory<? super O> writer) {
        return new Builder<>(name, ItemWork.itemwise(reader, processor, writer));
    }

    /** The processor takes a whole chunk at once. */
    public static <I, O> Builder<I, O> processingChunks(
            String name,
            ItemReader.Factory<? extends I> reader,
            ChunkProcessor.Factory<I, O> processor,
            ItemWriter.Factory<? super O> writer) {
        return new Builder<>(name, new ItemWork<>(reader, processor, writer));
    }

    /** Delivery is at least once unless said otherwise. */
    public static final class Builder<I, O> extends StepBuilder<Builder<I, O>> {
        private final ItemWork<I, O> work;
        private int size = DEFAULT_SIZE;
        private Delivery delivery = Delivery.atLeastOnce();
        private InFlight inFlight = InFlight.FINISH_CHUNK;
        private RetryPolicy retry = RetryPolicy.NONE;
        private SkipPolicy skip = SkipPolicy.NONE;
        private boolean readAhead;
        private final List<ChunkListener> chunkListeners = new ArrayList<>();
        private final List<ItemListener> itemListeners = new ArrayList<>();

        private Builder(String name, ItemWork<I, O> work) {
            super(name, "chunk");
            this.work = work;
        }

        @Override
        Builder<I, O> self() {
            return this;
        }

        public Builder<I, O> size(int items) {
            size = items;
            return this;
        }

        public Builder<I, O> delivery(Delivery mode) {
            delivery = mode;
            return this;
        }

        public Builder<I, O> inFlight(InFlight policy) {
            inFlight = policy;
            return this;
        }

        public Builder<I, O> retry(RetryPolicy policy) {
            retry = policy;
            return this;
        }

        public Builder<I, O> skip(SkipPolicy policy) {
            skip = policy;
            return this;
        }

        /** Lets another thread read the next chunk while one is written: the reader sees no other difference. */
        public Builder<I, O> readAhead(boolean ahead) {
            readAhead = ahead;
            return this;
        }

        public Builder<I, O> chunkListener(ChunkListener listener) {
            chunkListeners.add(listener);
            return this;
        }

        public Builder<I, O> itemListener(ItemListener listener) {
            itemListeners.add(listener);
            return this;
        }

        @Override
        public ChunkStep<I, O> build() {
            return new ChunkStep<>(
                    name,
                    kind,
                    revision,
                    work,
                    size,
                    delivery,
                    inFlight,
                    retry,
                    skip,
                    readAhead,
                    chunkListeners,
                    itemListeners,
                    settings());
        }
    }
}
