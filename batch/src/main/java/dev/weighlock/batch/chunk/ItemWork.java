package dev.weighlock.batch.chunk;

/** The three parts of a chunk step, made anew for each step or partition attempt. */
public record ItemWork<I, O>(
        ItemReader.Factory<? extends I> reader,
        ChunkProcessor.Factory<I, O> processor,
        ItemWriter.Factory<? super O> writer) {
    /** Work whose processor takes one item at a time. */
    public static <I, O> ItemWork<I, O> itemwise(
            ItemReader.Factory<? extends I> reader,
            ItemProcessor.Factory<I, O> processor,
            ItemWriter.Factory<? super O> writer) {
        return new ItemWork<>(reader, step -> new ItemByItem<>(processor.create(step)), writer);
    }
}
