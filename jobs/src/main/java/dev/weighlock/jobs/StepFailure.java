package dev.weighlock.jobs;

import dev.weighlock.batch.FailureCategory;
import dev.weighlock.batch.step.FailureCause;
import org.jspecify.annotations.Nullable;

/** A step cannot do its work; the message says what, where and what to do. */
public final class StepFailure extends RuntimeException implements FailureCause {
    private static final long serialVersionUID = 1L;

    private final FailureCategory category;

    public StepFailure(FailureCategory category, String message) {
        this(category, message, null);
    }

    public StepFailure(FailureCategory category, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.category = category;
    }

    @Override
    public FailureCategory failureCategory() {
        return category;
    }
}
