package dev.weighlock.query.metric;

import dev.weighlock.query.ErrorCode;
import dev.weighlock.query.FactKey;
import dev.weighlock.query.Facts;
import dev.weighlock.query.QueryException;

/** A metric that cannot be projected: exporting it would tell something untrue. */
public final class ProjectionException extends QueryException {
    private static final long serialVersionUID = 1L;
    private static final String OPERATION = "metrics.project";

    private final Cause kind;

    ProjectionException(MetricDescriptor descriptor, Cause kind, String detail) {
        super(ErrorCode.INVARIANT_VIOLATION, OPERATION, descriptor.name() + ": " + detail);
        this.kind = kind;
    }

    /** A cumulative histogram that falls at this bucket. */
    ProjectionException(MetricDescriptor descriptor, int bucketIndex) {
        super(
                ErrorCode.INVARIANT_VIOLATION,
                OPERATION,
                descriptor.name() + ": the cumulative histogram decreases",
                Facts.of(FactKey.INDEX, bucketIndex));
        this.kind = Cause.CUMULATIVE_DECREASES;
    }

    /** The closed set of refusals. */
    public enum Cause {
        NON_CANONICAL_DESCRIPTOR,
        DURATION,
        CUMULATIVE_DECREASES,
        CUMULATIVE_COUNT_MISMATCH,
        DISJOINT_COUNT_MISMATCH
    }

    public Cause kind() {
        return kind;
    }
}
