package dev.weighlock.batch.stop;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;

/** The wait for a future or a stop. */
final class StopRace {
    private StopRace() {}

    static <T> Optional<T> run(StopToken token, CompletableFuture<T> future) throws InterruptedException {
        var stopped = new CompletableFuture<Void>();
        try (var _ = token.onStop(() -> stopped.complete(null))) {
            CompletableFuture.anyOf(future, stopped).get();
        } catch (ExecutionException e) {
            throw new CompletionException(e.getCause());
        }
        return future.isDone() ? Optional.ofNullable(future.join()) : Optional.empty();
    }
}
