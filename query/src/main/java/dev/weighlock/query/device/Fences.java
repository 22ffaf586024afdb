package dev.weighlock.query.device;

import dev.weighlock.query.ErrorCode;
import dev.weighlock.query.Facts;
import dev.weighlock.query.QueryException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The completion fences of one resident, per stream the newest. The lock guards the map; recording happens under it, so
 * that a stream's newer fence never loses to an older one, waiting happens outside it.
 */
final class Fences {
    private static final Duration WAIT_LIMIT = Duration.ofSeconds(30);

    private final ReentrantLock lock = new ReentrantLock();
    private final Map<Object, CompletionFence> newest = new LinkedHashMap<>();
    private @Nullable String readerFailure;
    private boolean poisoned;

    void record(WorkStream stream) {
        lock.lock();
        try {
            if (poisoned) {
                throw failure("the fences of the resident are poisoned", null);
            }
            newest.put(stream.identity(), stream.recordCompletion());
        } catch (QueryException refusal) {
            throw refusal;
        } catch (RuntimeException fault) {
            throw failure("the completion of a stream could not be recorded", fault);
        } catch (Throwable fault) {
            poisoned = true;
            throw fault;
        } finally {
            lock.unlock();
        }
    }

    /** Records the reader's stream; what fails is kept for the final release, which cannot prove that reader's end. */
    void recordReader(WorkStream stream) {
        try {
            record(stream);
        } catch (Throwable fault) {
            lock.lock();
            try {
                if (readerFailure == null) {
                    readerFailure = "the completion of a resident's reader could not be recorded: " + fault;
                }
            } finally {
                lock.unlock();
            }
        }
    }

    /** Waits for every fence, also after a failure, and returns the first failure. */
    @Nullable
    String awaitAll() {
        List<CompletionFence> fences;
        String first;
        lock.lock();
        try {
            if (poisoned) {
                return "the fences of a resident are poisoned";
            }
            fences = List.copyOf(newest.values());
            first = readerFailure;
        } finally {
            lock.unlock();
        }
        if (fences.isEmpty()) {
            return "a frozen resident reached its last close without a completion fence";
        }
        for (CompletionFence fence : fences) {
            String failure = await(fence);
            first = first == null ? failure : first;
        }
        return first;
    }

    private static @Nullable String await(CompletionFence fence) {
        try {
            fence.awaitForTeardown("resident_lease.drop", WAIT_LIMIT);
            return null;
        } catch (Throwable fault) {
            return "a completion fence of a frozen resident failed: " + fault;
        }
    }

    private static QueryException failure(String message, @Nullable Throwable cause) {
        return new QueryException(ErrorCode.INVARIANT_VIOLATION, "resident_lease.fence", message, Facts.none(), cause);
    }
}
