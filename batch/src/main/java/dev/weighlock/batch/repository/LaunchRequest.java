package dev.weighlock.batch.repository;

import dev.weighlock.batch.JobName;
import dev.weighlock.batch.JobParameters;
import dev.weighlock.batch.StoredDefinition;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Everything that creating an execution needs, in one guarded write.
 *
 * @param expectedPrevious id of the last execution of the instance as the caller saw it, empty when it saw none; any
 *     other last execution makes the launch {@link LaunchDecision.Superseded}
 * @param node id of the registered node that will own the execution
 * @param audit entries stored in the same transaction, such as an accepted change of definition
 * @param slot where the job limits how many of it run
 */
public record LaunchRequest(
        JobName job,
        JobParameters parameters,
        StoredDefinition definition,
        String fingerprint,
        OptionalLong expectedPrevious,
        String node,
        List<AuditEntry> audit,
        Optional<SlotClaim> slot) {
    public LaunchRequest {
        audit = List.copyOf(audit);
    }

    /** A launch without a limit. */
    public LaunchRequest(
            JobName job,
            JobParameters parameters,
            StoredDefinition definition,
            String fingerprint,
            OptionalLong expectedPrevious,
            String node,
            List<AuditEntry> audit) {
        this(job, parameters, definition, fingerprint, expectedPrevious, node, audit, Optional.empty());
    }
}
