package dev.weighlock.query.admission;

import dev.weighlock.query.ErrorCode;
import dev.weighlock.query.FactKey;
import dev.weighlock.query.Facts;
import dev.weighlock.query.QueryException;
import dev.weighlock.query.Reason;
import java.util.List;
import java.util.stream.Collectors;

/** The errors of admission. */
final class Refusals {
    private static final String OPERATION = "admission";
    private static final int NAMED_HOLDERS = 3;

    private Refusals() {}

    static QueryException queueFull(Pool pool, int limit) {
        return overloaded(
                "the queue is full (" + limit + " waiting); try again later or raise the limit",
                Facts.of(Reason.ADMISSION_QUEUE_FULL)
                        .with(FactKey.POOL, pool.config().name())
                        .with(FactKey.QUEUE_LIMIT, limit));
    }

    static QueryException waitElapsed(Waiter waiter, long nowNanos) {
        return overloaded(
                "no room within the wait limit; try again later or raise the limit",
                Facts.of(Reason.QUEUE_WAIT_ELAPSED)
                        .with(FactKey.POOL, waiter.pool().config().name())
                        .with(FactKey.WAIT_NANOS, nowNanos - waiter.requestedNanos()));
    }

    static QueryException deadline(Waiter waiter) {
        return new QueryException(
                ErrorCode.CANCELLED,
                OPERATION,
                "the deadline of attempt " + waiter.request().attempt() + " passed before it was admitted",
                Facts.of(Reason.DEADLINE_EXPIRED).with(FactKey.CANCELLATION_REQUESTED, true));
    }

    static QueryException cancelled(Waiter waiter) {
        return new QueryException(
                ErrorCode.CANCELLED,
                OPERATION,
                "attempt " + waiter.request().attempt() + " was cancelled while it waited",
                Facts.of(Reason.CALLER_CANCELLED));
    }

    static QueryException closing() {
        return new QueryException(
                ErrorCode.CANCELLED, OPERATION, "the backend is closing", Facts.of(Reason.BACKEND_CLOSING));
    }

    static QueryException unhealthy(AdmissionRequest request) {
        return new QueryException(
                ErrorCode.DEVICE_FAULT,
                OPERATION,
                "every device that attempt " + request.attempt() + " could use is closed after a fault",
                Facts.of(Reason.BACKEND_UNHEALTHY));
    }

    static QueryException neverFits(long requestedBytes, long largestBytes) {
        return budget(
                "a cap of " + requestedBytes + " bytes can never be granted; the largest that fits is " + largestBytes,
                Facts.of(Reason.QUERY_CAP_EXCEEDS_CAPACITY)
                        .with(FactKey.REQUESTED_BYTES, requestedBytes)
                        .with(FactKey.LARGEST_FIT_BYTES, largestBytes));
    }

    static QueryException noSuchDevice(AdmissionRequest request) {
        return budget("no device has the capabilities " + request.capabilities(), Facts.none());
    }

    static QueryException waitsOnItself(AdmissionRequest request) {
        return budget(
                "attempt " + request.attempt() + " would wait for room that its own parents hold until it ends",
                Facts.of(Reason.WOULD_WAIT_ON_ITSELF));
    }

    static QueryException waitsInACircle(AdmissionRequest request, List<Running> holders) {
        String named = holders.stream()
                .limit(NAMED_HOLDERS)
                .map(held -> held.request().label())
                .collect(Collectors.joining(", "));
        return budget(
                "attempt " + request.attempt() + " would wait for ever: the room it needs is held by attempts that wait"
                        + " for requests which wait for its own parents" + (named.isEmpty() ? "" : " (" + named + ")"),
                Facts.of(Reason.WOULD_WAIT_ON_ITSELF));
    }

    static QueryException zeroCap() {
        return new QueryException(
                ErrorCode.INVALID_PLAN,
                OPERATION,
                "a query cap must be greater than zero",
                Facts.of(Reason.ZERO_QUERY_CAP));
    }

    static QueryException askedTwice(AdmissionRequest request) {
        return new QueryException(
                ErrorCode.INTERNAL,
                OPERATION,
                "attempt " + request.attempt() + " waits or holds a grant already; an attempt is admitted once",
                Facts.of(FactKey.ATTEMPT_ID, request.attempt()));
    }

    static QueryException capTooSmall(long requestedBytes, long leastBytes) {
        return new QueryException(
                ErrorCode.INVALID_PLAN,
                OPERATION,
                "a query cap of " + requestedBytes + " bytes is below the least, " + leastBytes,
                Facts.of(FactKey.REQUESTED_BYTES, requestedBytes).with(FactKey.LIMIT_BYTES, leastBytes));
    }

    static QueryException unknownPool(String name) {
        return new QueryException(
                ErrorCode.INVALID_CONFIGURATION,
                OPERATION,
                "there is no pool named " + name,
                Facts.of(FactKey.POOL, name));
    }

    private static QueryException overloaded(String message, Facts facts) {
        return new QueryException(ErrorCode.SERVICE_OVERLOADED, OPERATION, message, facts);
    }

    private static QueryException budget(String message, Facts facts) {
        return new QueryException(ErrorCode.QUERY_BUDGET_UNAVAILABLE, OPERATION, message, facts);
    }
}
