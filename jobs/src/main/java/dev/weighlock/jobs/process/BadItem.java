package dev.weighlock.jobs.process;

import dev.weighlock.batch.FailureCategory;
import dev.weighlock.batch.step.FailureCause;

/** One item cannot be processed; the next ones may. */
public final class BadItem extends RuntimeException implements FailureCause {
    private static final long serialVersionUID = 1L;

    BadItem(String message, Throwable cause) {
        super(message, cause);
    }

    @Override
    public FailureCategory failureCategory() {
        return FailureCategory.DATA_ERROR;
    }
}
