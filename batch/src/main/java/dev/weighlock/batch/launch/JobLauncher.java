package dev.weighlock.batch.launch;

import dev.weighlock.batch.BatchError;
import dev.weighlock.batch.BatchException;
import dev.weighlock.batch.JobExecution;
import dev.weighlock.batch.JobParameters;
import dev.weighlock.batch.ParameterValue.SecretReference;
import dev.weighlock.batch.flow.Job;
import dev.weighlock.batch.repository.AuditEntry;
import dev.weighlock.batch.repository.JobRepository;
import dev.weighlock.batch.repository.LaunchDecision;
import dev.weighlock.batch.repository.LaunchRequest;
import dev.weighlock.batch.repository.NodeInfo;
import dev.weighlock.batch.run.JobRun;
import dev.weighlock.batch.run.RunEnvironment;
import dev.weighlock.batch.run.Secrets;
import dev.weighlock.batch.shutdown.OwnedTask;
import dev.weighlock.batch.shutdown.TaskPhase;
import java.util.HashMap;
import java.util.List;
import java.util.OptionalLong;

/**
 * Starts executions. A new instance costs one guarded write; only a loser reads who won.
 *
 * <p>Thread-safe; calls may block on the repository: from platform threads only.
 */
public final class JobLauncher {
    private static final int TRIES = 20;

    private final RunEnvironment environment;
    private final JobRepository repository;
    private final ActiveRuns runs;
    private final LetGo letGo;
    private final NodeInfo node;
    private final JobDefinitions definitions;
    private final SecretResolver secretResolver;

    JobLauncher(
            RunEnvironment environment,
            ActiveRuns runs,
            LetGo letGo,
            NodeInfo node,
            JobDefinitions definitions,
            SecretResolver secretResolver) {
        this.environment = environment;
        this.repository = environment.repository();
        this.runs = runs;
        this.letGo = letGo;
        this.node = node;
        this.definitions = definitions;
        this.secretResolver = secretResolver;
    }

    public LaunchResult launch(Job job, JobParameters parameters) {
        return launch(job, parameters, LaunchOptions.DEFAULT);
    }

    /**
     * Starts a new instance, or restarts a FAILED or STOPPED one with this definition.
     *
     * @throws BatchException INVALID_PARAMETER for a secret that cannot be resolved, REPOSITORY_UNAVAILABLE when this
     *     node's proof of life has lapsed; nothing is stored then
     */
    public LaunchResult launch(Job job, JobParameters parameters, LaunchOptions options) {
        var available = repository.connections();
        int needed = ConnectionNeed.of(job);
        if (available.isPresent() && available.getAsInt() < needed) {
            return new LaunchResult.TooFewConnections(needed, available.getAsInt());
        }
        repository.unfit().ifPresent(why -> {
            throw new BatchException(BatchError.REPOSITORY_UNAVAILABLE, "nothing is started here: " + why);
        });
        var secrets = secrets(parameters);
        OwnedTask task;
        try {
            task = environment.tasks().begin(TaskPhase.FLOW_DECISION);
        } catch (BatchException e) {
            return new LaunchResult.ShuttingDown();
        }
        boolean handedOver = false;
        try {
            var result = create(job, parameters, options, secrets);
            if (result instanceof LaunchResult.Launched(JobRun run)) {
                handedOver = true;
                start(run, task, options);
            }
            return result;
        } finally {
            if (!handedOver) {
                task.close();
            }
        }
    }

    /** Restarts an execution with its stored definition; it must be its instance's last. */
    public LaunchResult restart(long executionId, LaunchOptions options) {
        var found = repository.execution(executionId);
        if (found.isEmpty()) {
            return new LaunchResult.NotFound(executionId);
        }
        var execution = found.get();
        var last = repository.lastExecution(execution.instance().id()).orElse(execution);
        if (last.id() != executionId) {
            return new LaunchResult.Superseded(last);
        }
        var stored = repository
                .definition(execution.definitionDigest())
                .orElseThrow(() -> new BatchException(
                        BatchError.NOT_FOUND, "the definition of execution " + executionId + " is not stored"));
        return definitions
                .find(stored)
                .map(job -> launch(job, execution.parameters(), options))
                .orElseGet(() -> new LaunchResult.DefinitionUnavailable(execution, stored));
    }

    private Secrets secrets(JobParameters parameters) {
        var values = new HashMap<String, String>();
        parameters.asMap().forEach((name, parameter) -> {
            if (parameter.value() instanceof SecretReference reference) {
                values.put(name.value(), secretResolver.resolve(reference));
            }
        });
        return values.isEmpty() ? Secrets.NONE : new Secrets(values);
    }

    private LaunchResult create(Job job, JobParameters parameters, LaunchOptions options, Secrets secrets) {
        var previous = OptionalLong.empty();
        List<AuditEntry> audit = List.of();
        for (int tried = 0; tried < TRIES; tried++) {
            var request = new LaunchRequest(
                    job.name(), parameters, job.definition(), job.fingerprint(), previous, node.id(), audit);
            switch (repository.createExecution(request)) {
                case LaunchDecision.Created(var execution) -> {
                    return new LaunchResult.Launched(new JobRun(environment, job, execution, secrets));
                }
                case LaunchDecision.AlreadyRunning(var winner) -> {
                    if (repository.isOwnerAlive(winner)) {
                        return new LaunchResult.AlreadyRunning(winner);
                    }
                    DeadOwners.fail(repository, winner, deadOwner(options));
                }
                case LaunchDecision.AlreadyComplete(var winner) -> {
                    return new LaunchResult.AlreadyComplete(winner);
                }
                case LaunchDecision.OutcomeUnknown(var last) -> {
                    return new LaunchResult.OutcomeUnknown(last);
                }
                case LaunchDecision.Superseded(var last) -> {
                    var change = new DefinitionChange(repository, definitions, job, last, options);
                    if (!change.refused().isEmpty()) {
                        return new LaunchResult.DefinitionChanged(last, change.refused());
                    }
                    previous = OptionalLong.of(last.id());
                    audit = change.audit();
                }
            }
        }
        throw new BatchException(
                BatchError.STALE_VERSION,
                "the job \"" + job.name() + "\" is being launched by others all the time: try again");
    }

    private AuditEntry deadOwner(LaunchOptions options) {
        return new AuditEntry("recover", options.actor(), "the owner was found dead at a launch by node " + node.id());
    }

    private void start(JobRun run, OwnedTask task, LaunchOptions options) {
        runs.add(run);
        if (options.onCallerThread()) {
            try (task) {
                run(run, task, options);
            }
        } else {
            environment.tasks().start(task, owned -> run(run, owned, options));
        }
    }

    private void run(JobRun run, OwnedTask task, LaunchOptions options) {
        try {
            run.run(task, options.stopToken());
        } finally {
            runs.remove(run);
            letGo.add(run);
        }
    }

    /** The executions that this node runs now. */
    public List<JobExecution> running() {
        return runs.all().stream().map(JobRun::execution).toList();
    }
}
