package dev.weighlock.batch.launch;

import dev.weighlock.batch.BatchError;
import dev.weighlock.batch.BatchException;
import dev.weighlock.batch.JobExecution;
import dev.weighlock.batch.JobParameters;
import dev.weighlock.batch.flow.FlowNode;
import dev.weighlock.batch.flow.Job;
import dev.weighlock.batch.repository.AuditEntry;
import dev.weighlock.batch.repository.FirstStep;
import dev.weighlock.batch.repository.JobRepository;
import dev.weighlock.batch.repository.LaunchDecision;
import dev.weighlock.batch.repository.LaunchRequest;
import dev.weighlock.batch.repository.QueuedLaunch;
import dev.weighlock.batch.repository.SlotClaim;
import dev.weighlock.batch.run.Secrets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Makes the row of one execution: what the dead left in its way is cleared, and the repository asked again. For one
 * thread and one launch.
 */
final class Creation {
    private static final int TRIES = 20;

    private final JobLauncher launcher;
    private final JobRepository repository;
    private final Job job;
    private final JobParameters parameters;
    private final Secrets secrets;
    private final LaunchOptions options;
    private OptionalLong request;
    private OptionalLong previous = OptionalLong.empty();
    private List<AuditEntry> audit = List.of();

    /** @param request the launch request that waits for the execution's slot */
    Creation(
            JobLauncher launcher,
            Job job,
            JobParameters parameters,
            Secrets secrets,
            LaunchOptions options,
            OptionalLong request) {
        this.launcher = launcher;
        this.repository = launcher.repository();
        this.job = job;
        this.parameters = parameters;
        this.secrets = secrets;
        this.options = options;
        this.request = request;
    }

    LaunchResult create() {
        for (int tried = 0; tried < TRIES; tried++) {
            var result = decide(repository.createExecution(launchRequest()));
            if (result.isPresent()) {
                return result.get();
            }
        }
        throw new BatchException(
                BatchError.STALE_VERSION,
                "the job \"" + job.name() + "\" is being launched by others all the time: try again");
    }

    private LaunchRequest launchRequest() {
        return new LaunchRequest(
                job.name(),
                parameters,
                job.definition(),
                job.fingerprint(),
                previous,
                launcher.node().id(),
                audit,
                job.maxConcurrent()
                        .map(limit -> new SlotClaim(limit, options.actor(), request, options.aheadOfQueue())),
                firstStep());
    }

    /**
     * A step that nothing comes before is begun with the job. A listener of the job sees that begin first; an attempt that a
     * step has few of is not used up by a stop before its body.
     */
    private Optional<FirstStep> firstStep() {
        boolean heard = !job.listeners().isEmpty();
        return !heard
                        && !options.stopToken().isStopRequested()
                        && job.flow().node(job.flow().entry()) instanceof FlowNode.StepNode(var step)
                        && step.startLimit() == Integer.MAX_VALUE
                ? Optional.of(new FirstStep(step.name(), step.partitioning().isPresent()))
                : Optional.empty();
    }

    /** Empty when it should be asked again. */
    private Optional<LaunchResult> decide(LaunchDecision decision) {
        return switch (decision) {
            case LaunchDecision.Created created ->
                Optional.of(new LaunchResult.Launched(launcher.run(job, created, secrets)));
            case LaunchDecision.AlreadyRunning(var winner) -> running(winner);
            case LaunchDecision.AlreadyComplete(var winner) -> Optional.of(new LaunchResult.AlreadyComplete(winner));
            case LaunchDecision.OutcomeUnknown(var last) -> Optional.of(new LaunchResult.OutcomeUnknown(last));
            case LaunchDecision.Superseded(var last) -> superseded(last);
            case LaunchDecision.Held(var last, var hold) -> Optional.of(new LaunchResult.Held(last, hold));
            case LaunchDecision.LimitReached(var running) ->
                launcher.clearDead(running, options)
                        ? Optional.empty()
                        : Optional.of(new LaunchResult.LimitReached(job.name(), running));
            case LaunchDecision.Queued queued -> queued(queued);
            case LaunchDecision.AlreadyQueued(var other) -> alreadyQueued(other);
            case LaunchDecision.Withdrawn(var own) -> Optional.of(new LaunchResult.Withdrawn(own));
        };
    }

    private Optional<LaunchResult> running(JobExecution winner) {
        if (repository.isOwnerAlive(winner)) {
            return Optional.of(new LaunchResult.AlreadyRunning(winner));
        }
        DeadOwners.fail(
                repository,
                winner,
                new AuditEntry(
                        "recover",
                        options.actor(),
                        "the owner was found dead at a launch by node "
                                + launcher.node().id()));
        return Optional.empty();
    }

    private Optional<LaunchResult> superseded(JobExecution last) {
        var change = new DefinitionChange(repository, launcher.definitions(), job, last, options);
        if (!change.refused().isEmpty()) {
            return Optional.of(new LaunchResult.DefinitionChanged(last, change.refused()));
        }
        previous = OptionalLong.of(last.id());
        audit = new ArrayList<>(change.audit());
        audit.add(new AuditEntry("restart", options.actor(), "of execution " + last.id(), options.key()));
        return Optional.empty();
    }

    private Optional<LaunchResult> queued(LaunchDecision.Queued queued) {
        request = OptionalLong.of(queued.request().id());
        boolean waiters = clearDeadWaiters(queued.ahead());
        boolean owners = launcher.clearDead(queued.running(), options);
        return waiters || owners
                ? Optional.empty()
                : Optional.of(new LaunchResult.Queued(new WaitingLaunch(launcher, job, parameters, options, queued)));
    }

    private Optional<LaunchResult> alreadyQueued(QueuedLaunch other) {
        return clearDeadWaiters(List.of(other)) ? Optional.empty() : Optional.of(new LaunchResult.AlreadyQueued(other));
    }

    /** A request waits as long as the process that would run it. */
    private boolean clearDeadWaiters(List<QueuedLaunch> waiting) {
        var dead = waiting.stream()
                .filter(request -> !repository.isNodeAlive(request.waiter().id()))
                .toList();
        dead.forEach(request -> repository.cancelQueued(
                request.id(),
                new AuditEntry(
                        "cancel",
                        "node " + launcher.node().id(),
                        request.name() + ": the process that waited is gone")));
        return !dead.isEmpty();
    }
}
