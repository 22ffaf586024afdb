package dev.weighlock.batch.operate;

import dev.weighlock.batch.BatchError;
import dev.weighlock.batch.BatchException;
import dev.weighlock.batch.BatchStatus;
import dev.weighlock.batch.JobExecution;
import dev.weighlock.batch.repository.AuditEntry;
import dev.weighlock.batch.repository.AuditRecord;
import dev.weighlock.batch.repository.Hold;
import dev.weighlock.batch.repository.JobRepository;
import dev.weighlock.batch.repository.NodeInfo;
import dev.weighlock.batch.repository.QueuedLaunch;
import dev.weighlock.batch.repository.RepositoryRefusals;
import dev.weighlock.batch.repository.StopDecision;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;

/**
 * What operators do to executions, of this node or another. The one service behind command line, HTTP and console, so
 * that all give the same refusals. Restarts are the launcher's.
 *
 * <p>Thread-safe; calls may block on the repository: from platform threads only.
 */
public final class JobOperator {
    /** Of an execution's audit, which recovery by hand is the newest part of. */
    private static final int NEWEST = 100;

    private final JobRepository repository;
    private final Repeats repeats;

    public JobOperator(JobRepository repository) {
        this.repository = repository;
        this.repeats = new Repeats(repository);
    }

    /**
     * Asks for a stop. Its owner alone acts on it.
     *
     * @throws BatchException NOT_FOUND
     */
    public StopDecision stop(long executionId, String actor) {
        return stop(executionId, new Instruction(actor, ""));
    }

    /** The same, with a reason for the audit. A key is not needed: the first request stays. */
    public StopDecision stop(long executionId, Instruction by) {
        return repository.requestStop(executionId, OptionalLong.empty(), by.actor(), by.reason());
    }

    /** Asks for a stop of the execution at this very version. */
    public StopDecision stop(long executionId, long expectedVersion, String actor) {
        return repository.requestStop(executionId, OptionalLong.of(expectedVersion), actor);
    }

    /**
     * Closes a STOPPED, FAILED or UNKNOWN execution for good: its instance never runs again. One that is ABANDONED
     * already stays so.
     *
     * @throws BatchException NOT_FOUND, ALREADY_RUNNING for a live owner's, ILLEGAL_TRANSITION for another status,
     *     STALE_VERSION where somebody changed it or a later attempt superseded it
     */
    public Acted<JobExecution> abandon(long executionId, Instruction by) {
        var execution = get(executionId);
        if (repeats.isDone("abandon", executionId, by.key()) || execution.status() == BatchStatus.ABANDONED) {
            return new Acted<>(execution, false);
        }
        refuseLive(execution);
        return once(executionId, () -> repository.abandon(execution, by.audit("abandon")));
    }

    /**
     * Keeps the execution's instance as it is: neither restarted nor removed. An earlier hold stays; one that was
     * released is not placed again by the same key.
     *
     * @throws BatchException NOT_FOUND
     */
    public Acted<Optional<Hold>> hold(long executionId, Instruction by) {
        var execution = get(executionId);
        var earlier = repository.hold(execution.instance().id());
        if (repeats.isDone("hold", executionId, by.key()) || earlier.isPresent()) {
            return new Acted<>(earlier, false);
        }
        return new Acted<>(Optional.of(repository.placeHold(execution, by.audit("hold"))), true);
    }

    /** Ends a hold; harmless where there is none. */
    public Acted<JobExecution> release(long executionId, Instruction by) {
        var execution = get(executionId);
        boolean again = repeats.isDone("release", executionId, by.key());
        return new Acted<>(execution, !again && repository.releaseHold(execution, by.audit("release")));
    }

    /**
     * Cancels a launch that waits for a slot.
     *
     * @throws BatchException NOT_FOUND, ALREADY_FINISHED when it has become an execution
     */
    public Acted<QueuedLaunch> cancelLaunch(long requestId, Instruction by) {
        var request = repository
                .queuedLaunch(requestId)
                .orElseThrow(
                        () -> new BatchException(BatchError.NOT_FOUND, "no launch request has the name r" + requestId));
        var terms = request.name() + ":";
        if (repeats.done("cancel", OptionalLong.empty(), terms, by.key()).isPresent()) {
            return new Acted<>(request, false);
        }
        // A key is for one request: the act itself concerns no execution, so its detail must tell which.
        var detail = by.key().isPresent() ? (terms + " " + by.reason()).strip() : by.reason();
        var audit = new AuditEntry("cancel", by.actor(), detail, by.key());
        var now = repository.cancelQueued(requestId, audit);
        if (now.state() == QueuedLaunch.State.STARTED) {
            throw new BatchException(
                    BatchError.ALREADY_FINISHED,
                    "launch request " + now.name() + " waits no longer: it became execution "
                            + now.execution().orElse(0));
        }
        return new Acted<>(now, request.isWaiting());
    }

    /** Two who act with one key at once: one acts. */
    private Acted<JobExecution> once(long executionId, Supplier<JobExecution> act) {
        try {
            return new Acted<>(act.get(), true);
        } catch (BatchException e) {
            if (e.error() == BatchError.ALREADY_DONE) {
                return new Acted<>(get(executionId), false);
            }
            throw e;
        }
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
     * Decides an outcome by hand. The same decision on the same proposal again changes nothing, or goes on where a crash
     * left it half done.
     *
     * @param digest of the proposal that the decision is based on
     * @param outcome FAILED, which may be restarted, or ABANDONED
     * @throws BatchException STALE_VERSION when the proposal is no longer true, INVALID_PARAMETER for the key of another
     *     decision
     */
    public Acted<JobExecution> recover(long executionId, String digest, BatchStatus outcome, Instruction by) {
        if (outcome != BatchStatus.FAILED && outcome != BatchStatus.ABANDONED) {
            throw new BatchException(
                    BatchError.ILLEGAL_TRANSITION, "recovery ends in FAILED or ABANDONED, not in " + outcome);
        }
        var terms = outcome + ", proposal " + digest + ":";
        var key = by.key().orElse("recover " + executionId + " " + digest + " " + outcome);
        var audit = new AuditEntry("recover", by.actor(), terms + " " + by.reason(), Optional.of(key));
        var earlier = repeats.done("recover", OptionalLong.of(executionId), terms, Optional.of(key))
                .or(() -> decided(executionId, terms));
        if (earlier.isPresent()) {
            var execution = get(executionId);
            return outcome == BatchStatus.ABANDONED && execution.status() == BatchStatus.FAILED
                    ? once(executionId, () -> repository.abandon(execution, audit))
                    : new Acted<>(execution, false);
        }
        var proposal = proposeRecovery(executionId);
        if (!proposal.digest().equals(digest)) {
            throw new BatchException(
                    BatchError.STALE_VERSION,
                    "execution " + executionId + " changed since the proposal: propose again");
        }
        return once(executionId, () -> resolve(proposal.execution(), outcome, audit));
    }

    /** The same decision, perhaps with another key or half done. */
    private Optional<AuditRecord> decided(long executionId, String terms) {
        return repository.auditTrail(executionId, NEWEST).stream()
                .filter(record -> record.entry().action().equals("recover"))
                .filter(record -> record.entry().detail().startsWith(terms))
                .findFirst();
    }

    /** An active execution is closed in two steps; both are audited in the same terms, and the key comes with the last. */
    private JobExecution resolve(JobExecution execution, BatchStatus outcome, AuditEntry audit) {
        if (!execution.status().isActive()) {
            return outcome == BatchStatus.FAILED
                    ? repository.failUnknown(execution, audit)
                    : repository.abandon(execution, audit);
        }
        if (outcome == BatchStatus.FAILED) {
            return repository.failDead(execution, audit);
        }
        var failed = repository.failDead(execution, new AuditEntry(audit.action(), audit.actor(), audit.detail()));
        return repository.abandon(failed, audit);
    }
}
