package dev.weighlock.query.admission;

import dev.weighlock.query.AttemptId;
import dev.weighlock.query.device.QueryCap;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What an attempt asks the admission service for.
 *
 * @param attempt whose grant it is; while the attempt waits or holds one, it is refused another
 * @param capabilities what the device must be able to do; a device without one of them is never chosen
 * @param parentAttempt the attempt inside which this one runs, null when there is none
 * @param deadlineNanos a point of the service's clock; {@link Long#MAX_VALUE} for none
 * @param label who asks, for people
 */
public record AdmissionRequest(
        AttemptId attempt,
        QueryCap cap,
        String pool,
        Set<String> capabilities,
        @Nullable AttemptId parentAttempt,
        long deadlineNanos,
        String label) {
    public AdmissionRequest {
        capabilities = Set.copyOf(capabilities);
    }

    /** A request of the default pool without needs, parent or deadline. */
    public static AdmissionRequest of(AttemptId attempt, QueryCap cap) {
        return new AdmissionRequest(
                attempt, cap, PoolConfig.DEFAULT_NAME, Set.of(), null, Long.MAX_VALUE, attempt.toString());
    }

    public Optional<AttemptId> parent() {
        return Optional.ofNullable(parentAttempt);
    }

    public AdmissionRequest withPool(String name) {
        return new AdmissionRequest(attempt, cap, name, capabilities, parentAttempt, deadlineNanos, label);
    }

    public AdmissionRequest withCapabilities(Set<String> names) {
        return new AdmissionRequest(attempt, cap, pool, names, parentAttempt, deadlineNanos, label);
    }

    public AdmissionRequest withParent(AttemptId parent) {
        return new AdmissionRequest(attempt, cap, pool, capabilities, parent, deadlineNanos, label);
    }

    public AdmissionRequest withDeadline(long atNanos) {
        return new AdmissionRequest(attempt, cap, pool, capabilities, parentAttempt, atNanos, label);
    }

    public AdmissionRequest withLabel(String text) {
        return new AdmissionRequest(attempt, cap, pool, capabilities, parentAttempt, deadlineNanos, text);
    }
}
