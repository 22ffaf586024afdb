package dev.weighlock.batch.launch;

import dev.weighlock.batch.BatchError;
import dev.weighlock.batch.BatchException;
import dev.weighlock.batch.JobExecution;
import dev.weighlock.batch.JobParameters;
import dev.weighlock.batch.ParameterValue.SecretReference;
import dev.weighlock.batch.flow.Job;
import dev.weighlock.batch.repository.JobRepository;
import dev.weighlock.batch.repository.LaunchDecision;
import dev.weighlock.batch.repository.NodeInfo;
import dev.weighlock.batch.run.JobRun;
import dev.weighlock.batch.run.RunEnvironment;
import dev.weighlock.batch.run.RunningJob;
import dev.weighlock.batch.run.Secrets;
import dev.weighlock.batch.shutdown.OwnedTask;
import dev.weighlock.batch.shutdown.TaskPhase;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.OptionalLong;

/**
 * Starts executions. A new instance costs one guarded write; only a loser reads who won.
 *
 * <p>Thread-safe; calls may block on the repository: from platform threads only.
 */
public final class JobLauncher {
    private final RunEnvironment environment;
    private final JobRepository repository;
    private final ActiveRuns runs;
    private final LetGo letGo;
    private final NodeInfo node;
    private final JobDefinitions definitions;
    private final SecretResolver secretResolver;
    private final Duration poll;
    private final Runnable recovery;

    /** @param recovery ends, and perhaps restarts, what dead owners left */
    JobLauncher(
            RunEnvironment environment,
            ActiveRuns runs,
            LetGo letGo,
            NodeInfo node,
            JobDefinitions definitions,
            SecretResolver secretResolver,
            Duration poll,
            Runnable recovery) {
        this.environment = environment;
        this.repository = environment.repository();
        this.runs = runs;
        this.letGo = letGo;
        this.node = node;
        this.definitions = definitions;
        this.secretResolver = secretResolver;
        this.poll = poll;
        this.recovery = recovery;
    }

    JobRepository repository() {
        return repository;
    }

    NodeInfo node() {
        return node;
    }

    JobDefinitions definitions() {
        return definitions;
    }

    /** How often a launch that waits looks whether it is its turn. */
    Duration poll() {
        return poll;
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
        return launch(job, parameters, options, OptionalLong.empty());
    }

    /** @param request the launch request that waits for the slot */
    LaunchResult launch(Job job, JobParameters parameters, LaunchOptions options, OptionalLong request) {
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
            var result = new Creation(this, job, parameters, secrets, options, request).create();
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

    /** The run of an execution that was created. */
    JobRun run(Job job, LaunchDecision.Created created, Secrets secrets) {
        return new JobRun(environment, job, created.execution(), created.begun(), secrets);
    }

    /** Whether an owner among those that run was dead and is recovered now. */
    boolean clearDead(List<JobExecution> running, LaunchOptions options) {
        if (options.aheadOfQueue() || running.stream().allMatch(repository::isOwnerAlive)) {
            return false;
        }
        recovery.run();
        return true;
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

    /** The same, to wait for: also those that this node restarted by itself. */
    public List<RunningJob> runs() {
        return List.copyOf(runs.all());
    }
}
