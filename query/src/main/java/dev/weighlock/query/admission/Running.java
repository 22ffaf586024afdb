package dev.weighlock.query.admission;

import dev.weighlock.query.AttemptId;
import org.jspecify.annotations.Nullable;

/**
 * What the service remembers of a grant it gave: never the grant itself, or a leaked one could not be seen. Guarded by
 * the service's mutex.
 */
final class Running implements Due {
    private final long order;
    private final AdmissionRequest request;
    private final Pool pool;
    private final int deviceOrdinal;

    long grantId;
    long bytes;
    long admittedNanos;
    double charged;

    @Nullable
    Runnable overdue;

    long overdueNanos = Long.MAX_VALUE;

    Running(long order, AdmissionRequest request, Pool pool, int deviceOrdinal) {
        this.order = order;
        this.request = request;
        this.pool = pool;
        this.deviceOrdinal = deviceOrdinal;
    }

    AttemptId attempt() {
        return request.attempt();
    }

    AdmissionRequest request() {
        return request;
    }

    Pool pool() {
        return pool;
    }

    int deviceOrdinal() {
        return deviceOrdinal;
    }

    /** Its attempt is over. */
    boolean isCleaning() {
        return overdue != null;
    }

    @Override
    public long dueNanos() {
        return overdueNanos;
    }

    @Override
    public long order() {
        return order;
    }
}
