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
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Ends what dead owners left active. Several nodes may try at once; one of them succeeds. Thread-safe. */
final class DeadOwners {
    private static final Logger LOG = LoggerFactory.getLogger(DeadOwners.class);

    private final JobRepository repository;
    private final JobLauncher launcher;
    private final JobDefinitions definitions;
    private final NodeInfo node;

    DeadOwners(JobRepository repository, JobLauncher launcher, JobDefinitions definitions, NodeInfo node) {
        this.repository = repository;
        this.launcher = launcher;
        this.definitions = definitions;
        this.node = node;
    }

    List<JobExecution> recover() {
        var failed = new ArrayList<JobExecution>();
        if (repository.unfit().isPresent()) {
            return failed;
        }
        for (var dead : repository.deadExecutions()) {
            fail(repository, dead.execution(), audit(dead)).ifPresent(execution -> {
                failed.add(execution);
                restart(execution);
            });
        }
        return failed;
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
            tryRestart(failed);
        } catch (RuntimeException e) {
            LOG.warn("execution {} of a dead owner could not be restarted", failed.id(), e);
        }
    }

    private void tryRestart(JobExecution failed) {
        boolean wanted = repository
                .definition(failed.definitionDigest())
                .flatMap(definitions::find)
                .filter(job -> job.recovery() == Job.Recovery.RESTART)
                .isPresent();
        if (wanted) {
            var result = launcher.restart(failed.id(), LaunchOptions.DEFAULT.withActor("node " + node.id()));
            LOG.info("execution {} of a dead owner restarted: {}", failed.id(), result);
        }
    }
}
