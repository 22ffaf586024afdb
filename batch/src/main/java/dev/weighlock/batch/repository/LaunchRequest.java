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
 * @param first the step that the first execution of an instance begins with at once: it is STARTED then, and so is the step,
 *     by the same write. Empty, and always at a restart: the execution is STARTING
 */
public record LaunchRequest(
        JobName job,
        JobParameters parameters,
        StoredDefinition definition,
        String fingerprint,
        OptionalLong expectedPrevious,
        String node,
        List<AuditEntry> audit,
        Optional<SlotClaim> slot,
        Optional<FirstStep> first) {
    public LaunchRequest {
        audit = List.copyOf(audit);
    }

    /** A launch without a limit, of which nothing is begun yet. */
    public LaunchRequest(
            JobName job,
            JobParameters parameters,
            StoredDefinition definition,
            String fingerprint,
            OptionalLong expectedPrevious,
            String node,
            List<AuditEntry> audit) {
        this(
                job,
                parameters,
                definition,
                fingerprint,
                expectedPrevious,
                node,
                audit,
                Optional.empty(),
                Optional.empty());
    }
}
