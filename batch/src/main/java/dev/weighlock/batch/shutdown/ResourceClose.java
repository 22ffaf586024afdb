package dev.weighlock.batch.shutdown;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Closes one owned resource on a thread of its own, which a resource that does not answer may keep. */
final class ResourceClose {
    /** How long a resource may take to say what it holds, when there is no time left for its close. */
    private static final Duration ANSWER = Duration.ofSeconds(3);

    private final OwnedResource resource;
    private final Duration answer;

    ResourceClose(OwnedResource resource) {
        this(resource, ANSWER);
    }

    ResourceClose(OwnedResource resource, Duration answer) {
        this.resource = resource;
        this.answer = answer;
    }

    List<OwnedResource.Held> closeBy(ShutdownCoordinator.Patience patience, long untilNanos) {
        var limit = patience.left(untilNanos);
        if (!limit.isZero()) {
            var closing = ask(limit);
            if (await(CompletableFuture.anyOf(closing, patience.over()), limit.plus(answer), patience)
                    && closing.isDone()) {
                return closing.join();
            }
        }
        var last = ask(Duration.ZERO);
        return await(last, answer, patience)
                ? last.join()
                : List.of(held("what it does not tell: it answers to no close"));
    }

    private CompletableFuture<List<OwnedResource.Held>> ask(Duration atMost) {
        var answer = new CompletableFuture<List<OwnedResource.Held>>();
        Thread.ofPlatform()
                .daemon()
                .name("weighlock-close-" + resource.name())
                .start(() -> answer.complete(close(atMost)));
        return answer;
    }

    private List<OwnedResource.Held> close(Duration atMost) {
        try {
            return resource.close(atMost).stream().map(this::held).toList();
        } catch (Throwable e) {
            return List.of(held("what it does not tell: its close failed with " + e));
        }
    }

    private OwnedResource.Held held(String what) {
        return new OwnedResource.Held(resource.name(), what);
    }

    /** Whether it was done in time; an interrupt ends the waiting once, and the answer is waited for all the same. */
    private static boolean await(CompletableFuture<?> future, Duration atMost, ShutdownCoordinator.Patience patience) {
        long until = System.nanoTime() + atMost.toNanos();
        while (true) {
            try {
                future.get(until - System.nanoTime(), TimeUnit.NANOSECONDS);
                return true;
            } catch (InterruptedException e) {
                patience.interrupted();
            } catch (ExecutionException e) {
                throw new IllegalStateException(e.getCause());
            } catch (TimeoutException e) {
                return false;
            }
        }
    }
}
