package dev.weighlock.query.lifecycle;

import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import org.jspecify.annotations.Nullable;

/** Starts a fixed number of actions at the same moment, each on a thread of its own. */
final class Race {
    private final CyclicBarrier start;

    Race(int racers) {
        this.start = new CyclicBarrier(racers);
    }

    <T extends @Nullable Object> CompletableFuture<T> run(Callable<T> action) {
        var outcome = new CompletableFuture<T>();
        Thread.ofPlatform().daemon().start(() -> {
            try {
                start.await();
                outcome.complete(action.call());
            } catch (Throwable failure) {
                outcome.completeExceptionally(failure);
            }
        });
        return outcome;
    }
}
