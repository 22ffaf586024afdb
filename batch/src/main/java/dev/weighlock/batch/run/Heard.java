package dev.weighlock.batch.run;

import dev.weighlock.batch.ExecutionContext;
import dev.weighlock.batch.chunk.ChunkContext;
import dev.weighlock.batch.chunk.ChunkProcessor;
import dev.weighlock.batch.chunk.ItemListener;
import dev.weighlock.batch.chunk.ItemReader;
import dev.weighlock.batch.chunk.ItemWriter;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a chunk step with its item listeners around them. Opening and closing go to the parts themselves; only
 * what happens in chunks comes through here.
 */
record Heard(List<ItemListener> listeners, RunningStep step) {
    private Listeners<ItemListener> before(Listeners.Call<ItemListener> call) throws ListenerFailure {
        var called = new Listeners<>(listeners, step.diagnostics);
        try {
            called.before(call);
        } catch (Exception e) {
            throw new ListenerFailure(e);
        }
        return called;
    }

    <T> ItemReader<? extends T> reader(ItemReader<? extends T> heard) {
        return listeners.isEmpty() ? heard : new Reader<T>(this, heard);
    }

    <I, O> ChunkProcessor<I, O> processor(ChunkProcessor<I, O> heard) {
        return listeners.isEmpty() ? heard : new Processor<>(this, heard);
    }

    <T> ItemWriter<? super T> writer(ItemWriter<? super T> heard) {
        return listeners.isEmpty() ? heard : new Writer<T>(this, heard);
    }

    private record Reader<T>(Heard by, ItemReader<? extends T> heard) implements ItemReader<T> {
        @Override
        public @Nullable T read() throws Exception {
            var called = by.before(listener -> listener.beforeRead(by.step));
            T item = heard.read();
            if (item != null) {
                called.after("afterRead", listener -> listener.afterRead(by.step, item));
            }
            return item;
        }

        @Override
        public boolean canReadAgain(Exception failure) {
            return heard.canReadAgain(failure);
        }

        @Override
        public ExecutionContext update(ExecutionContext context) throws Exception {
            return heard.update(context);
        }
    }

    private record Processor<I, O>(Heard by, ChunkProcessor<I, O> heard) implements ChunkProcessor<I, O> {
        @Override
        public boolean isItemwise() {
            return heard.isItemwise();
        }

        @Override
        public List<@Nullable O> process(List<I> items) throws Exception {
            if (heard.isItemwise()) {
                var results = new ArrayList<@Nullable O>(items.size());
                for (var item : items) {
                    results.addAll(processHeard(List.of(item)));
                }
                return results;
            }
            return processHeard(items);
        }

        private List<@Nullable O> processHeard(List<I> items) throws Exception {
            var called = new ArrayList<Listeners<ItemListener>>();
            for (var item : items) {
                called.add(by.before(listener -> listener.beforeProcess(by.step, item)));
            }
            var results = heard.process(items);
            for (int i = 0; i < Math.min(items.size(), results.size()); i++) {
                var item = items.get(i);
                var result = results.get(i);
                called.get(i).after("afterProcess", listener -> listener.afterProcess(by.step, item, result));
            }
            return results;
        }
    }

    private record Writer<T>(Heard by, ItemWriter<? super T> heard) implements ItemWriter<T> {
        @Override
        @SuppressWarnings("unchecked") // a writer of a supertype reads the list only
        public void write(List<T> items, ChunkContext chunk) throws Exception {
            var told = List.copyOf(items);
            var called = by.before(listener -> listener.beforeWrite(by.step, told));
            ((ItemWriter<T>) heard).write(items, chunk);
            called.after("afterWrite", listener -> listener.afterWrite(by.step, told));
        }

        @Override
        public ExecutionContext update(ExecutionContext context) throws Exception {
            return heard.update(context);
        }

        @Override
        public void committed() throws Exception {
            heard.committed();
        }

        @Override
        public void rolledBack() throws Exception {
            heard.rolledBack();
        }
    }
}
