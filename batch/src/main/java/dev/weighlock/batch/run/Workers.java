package dev.weighlock.batch.run;

import dev.weighlock.batch.shutdown.OwnedTask;
import dev.weighlock.batch.shutdown.TaskPhase;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Does a list of works on so many threads, the caller's included, and waits for all, whatever happens to one. */
final class Workers {
    private static final Logger LOG = LoggerFactory.getLogger(Workers.class);

    private final JobRun run;
    private final int count;

    Workers(JobRun run, int count) {
        this.run = run;
        this.count = count;
    }

    /**
     * The results in the order of {@code works}; the first exception comes out after all have ended.
     *
     * @param own the caller's task, which works too: so nested lists need no thread more than they name
     */
    <T, R> List<R> map(List<T> works, OwnedTask own, BiFunction<T, OwnedTask, R> body) {
        var next = new AtomicInteger();
        var results = new ArrayList<CompletableFuture<R>>();
        works.forEach(work -> results.add(new CompletableFuture<>()));
        Consumer<OwnedTask> worker = task -> {
            for (int i = next.getAndIncrement(); i < works.size(); i = next.getAndIncrement()) {
                complete(results.get(i), works.get(i), task, body);
            }
        };
        spawn(Math.min(count, works.size()) - 1, worker);
        worker.accept(own);
        return join(results);
    }

    /** Threads that could not be started are done without: the caller works in any case. */
    private void spawn(int helpers, Consumer<OwnedTask> worker) {
        try {
            IntStream.range(0, helpers).forEach(_ -> run.spawn(TaskPhase.FLOW_DECISION, worker));
        } catch (RejectedExecutionException | OutOfMemoryError e) {
            LOG.warn("execution {} goes on with fewer threads", run.executionId(), e);
        }
    }

    private static <T, R> void complete(
            CompletableFuture<R> result, T work, OwnedTask task, BiFunction<T, OwnedTask, R> body) {
        try {
            result.complete(body.apply(work, task));
        } catch (Throwable e) {
            result.completeExceptionally(e);
        }
    }

    private static <R> List<R> join(List<CompletableFuture<R>> results) {
        try {
            CompletableFuture.allOf(results.toArray(CompletableFuture[]::new)).join();
        } catch (CompletionException e) {
            switch (e.getCause()) {
                case RuntimeException failure -> throw failure;
                case Error error -> throw error;
                case null, default -> throw e;
            }
        }
        return results.stream().map(CompletableFuture::join).toList();
    }
}
