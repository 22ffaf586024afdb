package dev.weighlock.batch.run;

import dev.weighlock.batch.FailureCategory;
import dev.weighlock.batch.step.FailureCause;
import java.io.Serial;

/** One bad item more than the skip limit allows; its cause is that item's failure. */
final class SkipLimitExceeded extends Exception implements FailureCause {
    @Serial
    private static final long serialVersionUID = 1L;

    SkipLimitExceeded(long limit, Throwable cause) {
        super("more items failed than the skip limit of " + limit + " allows; the last: " + cause.getMessage(), cause);
    }

    @Override
    public FailureCategory failureCategory() {
        return FailureCategory.SKIP_LIMIT_EXCEEDED;
    }
}
