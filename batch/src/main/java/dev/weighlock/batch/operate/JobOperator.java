package dev.weighlock.batch.operate;

import dev.weighlock.batch.BatchError;
import dev.weighlock.batch.BatchException;
import dev.weighlock.batch.BatchStatus;
import dev.weighlock.batch.JobExecution;
import dev.weighlock.batch.repository.AuditEntry;
import dev.weighlock.batch.repository.JobRepository;
import dev.weighlock.batch.repository.NodeInfo;
import dev.weighlock.batch.repository.RepositoryRefusals;
import dev.weighlock.batch.repository.StopDecision;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What operators do to executions, of this node or another. The one service behind command line, HTTP and console, so
 * that all give the same refusals. Restarts are the launcher's.
 *
 * <p>Thread-safe; calls may block on the repository: from platform threads only.
 */
public final class JobOperator {
    private final JobRepository repository;

    public JobOperator(JobRepository repository) {
        this.repository = repository;
    }

    /**
     * Asks for a stop. Its owner alone acts on it.
     *
     * @throws BatchException NOT_FOUND
     */
    public StopDecision stop(long executionId, String actor) {
        return repository.requestStop(executionId, OptionalLong.empty(), actor);
    }

    /** Asks for a stop of the execution at this very version. */
    public StopDecision stop(long executionId, long expectedVersion, String actor) {
        return repository.requestStop(executionId, OptionalLong.of(expectedVersion), actor);
    }

    /**
     * Closes a STOPPED, FAILED or UNKNOWN execution for good: its instance never runs again.
     *
     * @throws BatchException NOT_FOUND, ALREADY_RUNNING for a live owner's, ILLEGAL_TRANSITION for another status,
     *     STALE_VERSION
     */
    public JobExecution abandon(long executionId, String actor, String reason) {
        var execution = get(executionId);
        refuseLive(execution);
        return repository.abandon(execution, new AuditEntry("abandon", actor, reason));
    }

    /** A live owner's execution is refused by the owner's name. */
    private void refuseLive(JobExecution execution) {
        if (execution.status().isActive() && repository.isOwnerAlive(execution)) {
            var owner = execution.ownerNode();
            throw RepositoryRefusals.alive(
                    execution.id(), repository.node(owner).map(NodeInfo::name).orElse("node " + owner));
        }
    }

    private JobExecution get(long executionId) {
        return repository
                .execution(executionId)
                .orElseThrow(() -> new BatchException(BatchError.NOT_FOUND, "no execution has the id " + executionId));
    }

    /** Everything about one execution; empty when there is none. */
    public Optional<ExecutionView> view(long executionId) {
        return repository
                .execution(executionId)
                .map(execution -> new ExecutionView(
                        execution,
                        repository.steps(executionId),
                        repository.decisions(execution.instance().id())));
    }

    /**
     * What recovery by hand would be based on: an UNKNOWN execution, or an active one whose owner is dead.
     *
     * @throws BatchException NOT_FOUND, ALREADY_RUNNING when its owner is alive, ILLEGAL_TRANSITION when there is
     *     nothing to recover
     */
    public RecoveryProposal proposeRecovery(long executionId) {
        var execution = get(executionId);
        refuseLive(execution);
        if (!execution.status().isActive() && execution.status() != BatchStatus.UNKNOWN) {
            throw new BatchException(
                    BatchError.ILLEGAL_TRANSITION,
                    "execution " + executionId + " is " + execution.status() + ": there is nothing to recover");
        }
        return RecoveryProposal.of(execution, repository.steps(executionId));
    }

    /**
     * Decides an outcome by hand.
     *
     * @param digest of the proposal that the decision is based on
     * @param outcome FAILED, which may be restarted, or ABANDONED
     * @throws BatchException STALE_VERSION when the proposal is no longer true
     */
    public JobExecution recover(long executionId, String digest, BatchStatus outcome, String actor, String reason) {
        var proposal = proposeRecovery(executionId);
        if (!proposal.digest().equals(digest)) {
            throw new BatchException(
                    BatchError.STALE_VERSION,
                    "execution " + executionId + " changed since the proposal: propose again");
        }
        if (outcome != BatchStatus.FAILED && outcome != BatchStatus.ABANDONED) {
            throw new BatchException(
                    BatchError.ILLEGAL_TRANSITION, "recovery ends in FAILED or ABANDONED, not in " + outcome);
        }
        var audit = new AuditEntry("recover", actor, outcome + ", proposal " + digest + ": " + reason);
        return resolve(proposal.execution(), outcome, audit);
    }

    private JobExecution resolve(JobExecution execution, BatchStatus outcome, AuditEntry audit) {
        if (execution.status().isActive()) {
            var failed = repository.failDead(execution, audit);
            return outcome == BatchStatus.FAILED ? failed : repository.abandon(failed, audit);
        }
        return outcome == BatchStatus.FAILED
                ? repository.failUnknown(execution, audit)
                : repository.abandon(execution, audit);
    }
}
