package dev.weighlock.query.attempt;

import dev.weighlock.query.Deadline;
import dev.weighlock.query.ErrorCode;
import dev.weighlock.query.FactKey;
import dev.weighlock.query.Facts;
import dev.weighlock.query.QueryException;
import dev.weighlock.query.Reason;
import dev.weighlock.query.report.CancelReason;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one irreversible cancellation signal of an attempt, shared by its caller, the queue and the engine, with the one
 * deadline of the attempt. Expiry counts as a cancellation.
 *
 * <p>Any thread. Listeners run once, on the thread that cancels or notices the expiry, with no lock held; what they
 * throw is logged. {@code listeners} guards itself.
 */
public final class Cancellation {
    private static final Logger LOG = LoggerFactory.getLogger(Cancellation.class);

    private final @Nullable Deadline deadline;
    private final AtomicReference<@Nullable CancelReason> requested = new AtomicReference<>();
    private final Object listenersLock = new Object();
    private List<Runnable> listeners = List.of();
    private boolean fired;

    Cancellation(@Nullable Deadline deadline) {
        this.deadline = deadline;
    }

    /** A signal of its own, outside any attempt. */
    public static Cancellation standalone(@Nullable Deadline deadline) {
        return new Cancellation(deadline);
    }

    /** Asks the attempt to stop, in the name of its caller. */
    public boolean cancel() {
        return cancel(CancelReason.CALLER);
    }

    /**
     * Asks the attempt to stop. Returns as soon as the listeners do.
     *
     * @return true for the first request, whose reason stands
     */
    public boolean cancel(CancelReason reason) {
        if (!requested.compareAndSet(null, reason)) {
            return false;
        }
        fire();
        return true;
    }

    /** Runs the listeners when the deadline is over. @return whether it is */
    public boolean fireIfExpired() {
        var expired = isExpired();
        if (expired) {
            fire();
        }
        return expired;
    }

    public Optional<Deadline> deadline() {
        return Optional.ofNullable(deadline);
    }

    /** Who asked for the cancellation; empty while only the deadline could have ended the attempt. */
    public Optional<CancelReason> requestedBy() {
        return Optional.ofNullable(requested.get());
    }

    public boolean isExpired() {
        return deadline != null && deadline.isExpired();
    }

    /** Whether the attempt has to stop, by request or by its deadline. */
    public boolean isCancelled() {
        return requested.get() != null || isExpired();
    }

    /**
     * Goes on only when nothing has cancelled the attempt.
     *
     * @throws QueryException {@code CANCELLED}; a request is named before an expiry
     */
    public void check(String operation) {
        var error = error(operation);
        if (error.isPresent()) {
            throw error.get();
        }
    }

    /** What {@link #check} would throw. */
    public Optional<QueryException> error(String operation) {
        var reason = requested.get();
        if (reason != null) {
            var fact = reason == CancelReason.SHUTDOWN ? Reason.BACKEND_CLOSING : Reason.CALLER_CANCELLED;
            return Optional.of(cancelled(operation, "the attempt was cancelled", fact));
        }
        return isExpired()
                ? Optional.of(cancelled(operation, "the attempt's deadline is over", Reason.DEADLINE_EXPIRED))
                : Optional.empty();
    }

    private static QueryException cancelled(String operation, String message, Reason reason) {
        return new QueryException(
                ErrorCode.CANCELLED, operation, message, Facts.of(reason).with(FactKey.CANCELLATION_REQUESTED, true));
    }

    /**
     * Has {@code listener} run once when the attempt is cancelled, at once when it is already.
     *
     * @return ends the registration; a listener that is just running is not waited for
     */
    public Registration onCancel(Runnable listener) {
        synchronized (listenersLock) {
            if (!fired) {
                listeners = listeners.isEmpty() ? new ArrayList<>(2) : listeners;
                listeners.add(listener);
                return () -> remove(listener);
            }
        }
        run(listener);
        return () -> {};
    }

    private void remove(Runnable listener) {
        synchronized (listenersLock) {
            if (!fired) {
                listeners.remove(listener);
            }
        }
    }

    private void fire() {
        List<Runnable> waiting;
        synchronized (listenersLock) {
            if (fired) {
                return;
            }
            fired = true;
            waiting = listeners;
            listeners = List.of();
        }
        waiting.forEach(Cancellation::run);
    }

    private static void run(Runnable listener) {
        try {
            listener.run();
        } catch (RuntimeException | Error failure) {
            LOG.warn("A cancellation listener failed", failure);
        }
    }

    /** Ends a registration; closing it again does nothing. */
    @FunctionalInterface
    public interface Registration extends AutoCloseable {
        @Override
        void close();
    }
}
