package dev.weighlock.batch.run;

import dev.weighlock.batch.shutdown.OwnedTask;
import dev.weighlock.batch.shutdown.TaskPhase;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import java.util.stream.IntStream;

/** Does a list of works on so many threads and waits for all of them, whatever happens to one. */
final class Workers {
    private final JobRun run;
    private final int count;

    Workers(JobRun run, int count) {
        this.run = run;
        this.count = count;
    }

    /** The results in the order of {@code works}; the first exception comes out after all have ended. */
    <T, R> List<R> map(List<T> works, BiFunction<T, OwnedTask, R> body) {
        var next = new AtomicInteger();
        var results = new ArrayList<CompletableFuture<R>>();
        works.forEach(work -> results.add(new CompletableFuture<>()));
        IntStream.range(0, Math.min(count, works.size()))
                .forEach(worker -> run.spawn(TaskPhase.FLOW_DECISION, task -> {
                    for (int i = next.getAndIncrement(); i < works.size(); i = next.getAndIncrement()) {
                        complete(results.get(i), works.get(i), task, body);
                    }
                }));
        return join(results);
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
