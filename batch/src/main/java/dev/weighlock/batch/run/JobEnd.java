package dev.weighlock.batch.run;

import dev.weighlock.batch.BatchStatus;
import dev.weighlock.batch.ExitStatus;
import dev.weighlock.batch.FailureSummary;
import java.util.Optional;

/** How a flow ended. */
record JobEnd(
        BatchStatus status, ExitStatus exitStatus, Optional<FailureSummary> failure, Optional<String> diagnostics) {
    static final JobEnd COMPLETED =
            new JobEnd(BatchStatus.COMPLETED, ExitStatus.COMPLETED, Optional.empty(), Optional.empty());
    static final JobEnd STOPPED =
            new JobEnd(BatchStatus.STOPPED, ExitStatus.STOPPED, Optional.empty(), Optional.empty());

    static JobEnd failed(FailureSummary failure, Optional<String> diagnostics) {
        return new JobEnd(BatchStatus.FAILED, ExitStatus.FAILED, Optional.of(failure), diagnostics);
    }

    static JobEnd unknown(Optional<String> diagnostics) {
        return new JobEnd(BatchStatus.UNKNOWN, ExitStatus.UNKNOWN, Optional.empty(), diagnostics);
    }

    JobEnd withDiagnostics(Optional<String> text) {
        return new JobEnd(status, exitStatus, failure, text);
    }
}
