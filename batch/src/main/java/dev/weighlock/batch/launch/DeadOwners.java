package dev.weighlock.batch.launch;

import dev.weighlock.batch.BatchError;
import dev.weighlock.batch.BatchException;
import dev.weighlock.batch.JobExecution;
import dev.weighlock.batch.flow.Job;
import dev.weighlock.batch.repository.AuditEntry;
import dev.weighlock.batch.repository.DeadExecution;
import dev.weighlock.batch.repository.JobRepository;
import dev.weighlock.batch.repository.NodeInfo;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends what dead owners left active. Several nodes may try at once; one of them succeeds. Thread-safe; the regular rounds are
 * for one thread.
 */
final class DeadOwners {
    private static final Logger LOG = LoggerFactory.getLogger(DeadOwners.class);
    private static final int ROUNDS_LEFT_TO_OTHERS = 2;

    private final JobRepository repository;
    private final Predicate<JobExecution> ours;
    private final WaitingRestarts restarts;
    private final JobDefinitions definitions;
    private final NodeInfo node;
    /** Those whose restart is to be tried again. */
    private final Queue<JobExecution> notYet = new ConcurrentLinkedQueue<>();
    /** Rounds for which an execution was left to nodes that can run its job. For the thread of the rounds. */
    private final Map<Long, Integer> left = new HashMap<>();

    /** @param ours which of them are this node's to end */
    DeadOwners(
            JobRepository repository,
            Predicate<JobExecution> ours,
            JobLauncher launcher,
            JobDefinitions definitions,
            NodeInfo node) {
        this.repository = repository;
        this.ours = ours;
        this.restarts = new WaitingRestarts(launcher, "node " + node.id());
        this.definitions = definitions;
        this.node = node;
    }

    List<JobExecution> recover() {
        return repository.unfit().isPresent() ? List.of() : recover(dead());
    }

    private List<DeadExecution> dead() {
        return repository.deadExecutions().stream()
                .filter(one -> ours.test(one.execution()))
                .toList();
    }

    /** One of the regular rounds: a job that this node cannot restart is left for a while to those that can. */
    void recoverRegularly() {
        if (repository.unfit().isPresent()) {
            return;
        }
        var dead = dead();
        left.keySet().retainAll(dead.stream().map(one -> one.execution().id()).toList());
        recover(dead.stream().filter(one -> !isLeftToOthers(one.execution())).toList());
    }

    private boolean isLeftToOthers(JobExecution execution) {
        return left.merge(execution.id(), 1, Integer::sum) <= ROUNDS_LEFT_TO_OTHERS
                && job(execution).isEmpty();
    }

    private Optional<Job> job(JobExecution execution) {
        return repository.definition(execution.definitionDigest()).flatMap(definitions::find);
    }

    private List<JobExecution> recover(List<DeadExecution> executions) {
        retry();
        var failed = new ArrayList<JobExecution>();
        for (var dead : executions) {
            try {
                fail(repository, dead.execution(), audit(dead)).ifPresent(execution -> {
                    failed.add(execution);
                    restart(execution);
                });
            } catch (RuntimeException e) {
                // The others are recovered all the same; this one with the next round.
                LOG.warn(
                        "execution {} of a dead owner could not be ended",
                        dead.execution().id(),
                        e);
            }
        }
        return failed;
    }

    private void retry() {
        restarts.retry();
        for (int tries = notYet.size(); tries > 0; tries--) {
            var one = notYet.poll();
            if (one != null) {
                restart(one);
            }
        }
    }

    private AuditEntry audit(DeadExecution dead) {
        return new AuditEntry(
                "recover", "node " + node.id(), "the owner, " + dead.owner().name() + ", is dead");
    }

    /** Empty when the owner is alive after all, or somebody else was first. */
    static Optional<JobExecution> fail(JobRepository repository, JobExecution dead, AuditEntry audit) {
        try {
            return Optional.of(repository.failDead(dead, audit));
        } catch (BatchException e) {
            if (e.error() == BatchError.ALREADY_RUNNING || e.error() == BatchError.STALE_VERSION) {
                return Optional.empty();
            }
            throw e;
        }
    }

    /** Where the job wants it; a pending stop was somebody's wish that it does not run. */
    void restart(JobExecution failed) {
        if (failed.stop().request().isPresent() || failed.stop().seenAt().isPresent()) {
            return;
        }
        try {
            if (!isRestarted(failed)) {
                notYet.add(failed);
            }
        } catch (RuntimeException e) {
            if (WaitingRestarts.mayPass(e)) {
                notYet.add(failed);
                LOG.warn("execution {} of a dead owner restarts later: {}", failed.id(), e.toString());
            } else {
                LOG.error("execution {} of a dead owner does not restart by itself", failed.id(), e);
            }
        }
    }

    /** True also where the job wants none. */
    private boolean isRestarted(JobExecution failed) {
        var wanted = job(failed).filter(job -> job.recovery() == Job.Recovery.RESTART);
        return wanted.isEmpty() || restarts.restart(failed);
    }
}
