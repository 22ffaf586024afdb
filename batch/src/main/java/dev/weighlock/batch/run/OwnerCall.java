package dev.weighlock.batch.run;

import dev.weighlock.batch.BatchError;
import dev.weighlock.batch.BatchException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * A guarded call of the owner to the repository. One that never reached it is tried again for some seconds; one whose
 * guard does not hold ends the run.
 */
final class OwnerCall {
    private static final int TRIES = 7;
    private static final long FIRST_WAIT_MILLIS = 50;

    private OwnerCall() {}

    static <T> T get(Supplier<T> call) {
        for (int tried = 1; ; tried++) {
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

    static void run(Runnable call) {
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
