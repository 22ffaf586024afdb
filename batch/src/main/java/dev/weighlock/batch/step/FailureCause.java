package dev.weighlock.batch.step;

import dev.weighlock.batch.FailureCategory;

/** Implemented by exceptions that know their failure category; any other exception of a step is STEP_FAILED. */
public interface FailureCause {
    FailureCategory failureCategory();
}
