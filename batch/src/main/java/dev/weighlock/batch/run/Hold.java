package dev.weighlock.batch.run;

import dev.weighlock.batch.BatchError;
import dev.weighlock.batch.BatchException;
import dev.weighlock.batch.repository.JobRepository;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * This process's hold on one execution. Every guarded call of the owner goes through it: one that never reached the
 * repository is tried again for some seconds, one whose guard does not hold ends the run. Once the hold is let go, or the
 * node is not fit to own anything, nothing is sent any more.
 *
 * <p>Thread-safe; never taken again once let go.
 */
final class Hold {
    private static final int TRIES = 7;
    private static final long FIRST_WAIT_MILLIS = 50;

    private final JobRepository repository;
    private final AtomicReference<@Nullable String> letGo = new AtomicReference<>();

    Hold(JobRepository repository) {
        this.repository = repository;
    }

    /** @param why for people; the first reason counts */
    void letGo(String why) {
        letGo.compareAndSet(null, why);
    }

    /** @throws LostExecution when this process may not go on with the execution */
    void check() {
        repository.unfit().ifPresent(this::letGo);
        var why = letGo.get();
        if (why != null) {
            throw new LostExecution(why);
        }
    }

    <T> T get(Supplier<T> call) {
        for (int tried = 1; ; tried++) {
            check();
            try {
                return call.get();
            } catch (BatchException e) {
                if (e.error() != BatchError.REPOSITORY_UNAVAILABLE || tried == TRIES) {
                    throw translated(e);
                }
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(FIRST_WAIT_MILLIS << tried));
            }
        }
    }

    void run(Runnable call) {
        get(() -> {
            call.run();
            return true;
        });
    }

    /** The exception by which a run lets go, where the cause says so. */
    static RuntimeException translated(BatchException e) {
        return switch (e.error()) {
            case FENCED, STALE_VERSION, REPOSITORY_UNAVAILABLE, COMMIT_OUTCOME_UNKNOWN -> new LostExecution(e);
            default -> e;
        };
    }
}
