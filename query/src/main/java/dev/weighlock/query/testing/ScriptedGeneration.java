package dev.weighlock.query.testing;

import dev.weighlock.query.ErrorCode;
import dev.weighlock.query.Facts;
import dev.weighlock.query.QueryException;
import dev.weighlock.query.Reason;
import dev.weighlock.query.device.BackendGeneration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** A backend generation that a test closes, counting who keeps it alive. */
public final class ScriptedGeneration implements BackendGeneration {
    private final AtomicInteger leases = new AtomicInteger();
    private volatile boolean closed;

    public ScriptedGeneration() {}

    public void close() {
        closed = true;
    }

    public int leases() {
        return leases.get();
    }

    @Override
    public void checkOpen(String operation) {
        if (closed) {
            throw new QueryException(
                    ErrorCode.CANCELLED, operation, "the backend is closing", Facts.of(Reason.BACKEND_CLOSING));
        }
    }

    @Override
    public Lease retain(String operation) {
        checkOpen(operation);
        leases.incrementAndGet();
        AtomicBoolean open = new AtomicBoolean(true);
        return () -> {
            if (open.compareAndSet(true, false)) {
                leases.decrementAndGet();
            }
        };
    }
}
