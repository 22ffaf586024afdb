package dev.weighlock.batch.jdbc.sqlite;

import dev.weighlock.batch.FailureCategory;
import dev.weighlock.batch.FailureSummary;
import java.util.UUID;

/** Failures that the repository itself states. */
final class Failures {
    private Failures() {}

    static FailureSummary of(FailureCategory category) {
        return new FailureSummary(category, UUID.randomUUID().toString());
    }
}
