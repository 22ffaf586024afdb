package dev.weighlock.app.wiring;

import dev.weighlock.app.exit.CommandFailure;
import dev.weighlock.app.exit.ExitCode;
import dev.weighlock.app.log.EventLog;
import dev.weighlock.app.log.ExecutionLogs;
import dev.weighlock.app.log.LogFiles;
import dev.weighlock.app.terminal.ProgressRow.Memory;
import dev.weighlock.batch.JobExecution;
import dev.weighlock.batch.JobParameters;
import dev.weighlock.batch.StepName;
import dev.weighlock.batch.StoredDefinition;
import dev.weighlock.batch.launch.LaunchOptions;
import dev.weighlock.batch.launch.LaunchResult;
import dev.weighlock.batch.launch.NodeRuntime;
import dev.weighlock.batch.launch.NodeSettings;
import dev.weighlock.batch.launch.SecretResolver;
import dev.weighlock.batch.repository.DeadExecution;
import dev.weighlock.batch.repository.JobRepository;
import dev.weighlock.batch.run.ProgressListener;
import dev.weighlock.batch.run.RunningJob;
import dev.weighlock.batch.shutdown.DrainResult;
import dev.weighlock.batch.shutdown.Drained;
import dev.weighlock.batch.shutdown.ShutdownHooks;
import dev.weighlock.batch.shutdown.ShutdownHooks.Kind;
import dev.weighlock.batch.shutdown.ShutdownRequest;
import dev.weighlock.jobs.code.UserClasses;
import dev.weighlock.jobs.compile.JobCompiler;
import dev.weighlock.jobs.compile.JobResources;
import dev.weighlock.jobs.compile.StoredJobFiles;
import dev.weighlock.jobs.database.ConfiguredDatabases;
import dev.weighlock.jobs.file.JobFile;
import dev.weighlock.jobs.file.ShellKeys;
import dev.weighlock.query.backend.QueryHandle;
import dev.weighlock.query.backend.QueryState;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Everything that one process needs to execute jobs, opened together and ended in one order by the node's shutdown: intake,
 * running jobs, the query backend, the record, then databases and repository; the logs last.
 */
public final class JobSession implements AutoCloseable {
    private final Deque<AutoCloseable> opened;
    private final JobRepository repository;
    private final BackendOnDemand backend;
    private final List<DeadExecution> dead;
    private final JobCompiler compiler;
    private final NodeRuntime node;
    private final LaunchOptions options;
    private final boolean shellAllowed;
    private final Duration drainLimit;

    private JobSession(
            Workspace workspace,
            String actor,
            boolean shellAllowed,
            ProgressListener progress,
            Deque<AutoCloseable> opened)
            throws IOException {
        this.opened = opened;
        RepositoryPlace place = workspace.repository();
        place.create();
        ExecutionLogs logs = ExecutionLogs.writeTo(place.logFolder());
        LogFiles.removeOlder(place.logFolder(), workspace.settings().keepLogs());
        opened.push(logs);
        repository = Repositories.open(workspace);
        opened.push(repository);
        backend = new BackendOnDemand(
                () -> Backends.open(workspace, place.stateFolder().resolve("spill")));
        ConfiguredDatabases databases = new ConfiguredDatabases(workspace.settings(), workspace.environment());
        opened.push(databases);
        UserClasses classes = UserClasses.of(workspace.settings());
        opened.push(classes);
        this.shellAllowed = shellAllowed;
        this.drainLimit = workspace.settings().shutdown().taskJoin();
        JobResources resources = new JobResources(backend::submit, databases)
                .withClasses(classes)
                .withShellAllowed(shellAllowed);
        compiler = new JobCompiler(resources);
        StoredJobFiles files = new StoredJobFiles(compiler);
        dead = repository.deadExecutions(); // a started node may be quicker than whoever asks afterwards
        node = NodeRuntime.on(repository)
                .settings(NodeSettings.DEFAULT.withPoll(
                        workspace.settings().repository().poll()))
                .progress(event -> {
                    EventLog.write(logs, event);
                    progress.on(event);
                })
                .definitions(stored -> mayRun(stored) ? files.find(stored) : Optional.empty())
                .secrets(SecretResolver.of(
                        workspace.environment()::get, workspace.settings().folder()))
                .shutdown(workspace.settings().shutdown())
                .owning(backend)
                .owning(resources.programs())
                .hooks(ShutdownHooks.NONE.withCloseRepository(() -> closeRepository(databases)))
                .start();
        // From here on the node ends them, in its order.
        opened.remove(databases);
        opened.remove(repository);
        opened.push(() -> end(node));
        options = LaunchOptions.DEFAULT.withActor(actor);
    }

    /**
     * What was not joined may still work with them, and the repository's close would end the proof that this process lives:
     * then they end with the process.
     */
    private void closeRepository(ConfiguredDatabases databases) {
        if (node.drain().tasks() instanceof DrainResult.Complete) {
            try (repository) {
                databases.close();
            }
        }
    }

    /** A late record is whole all the same. */
    private static boolean isBroken(ShutdownHooks.Outcome hook) {
        return switch (hook.status()) {
            case COMPLETED -> false;
            case FAILED -> true;
            case DEADLINE_EXCEEDED -> hook.kind() != Kind.PERSIST;
        };
    }

    /** What could not be joined was said by the drain. */
    private static void end(NodeRuntime node) {
        String problems = node.shutdown().hooks().stream()
                .filter(JobSession::isBroken)
                .map(hook -> hook.kind() + ": " + hook.problem())
                .collect(Collectors.joining("; "));
        if (!problems.isEmpty()) {
            throw new IllegalStateException(problems);
        }
    }

    /** Opens all of it; what fails half-way closes what was opened before. */
    public static JobSession open(Workspace workspace, String actor, boolean shellAllowed, ProgressListener progress)
            throws IOException {
        Deque<AutoCloseable> opened = new ArrayDeque<>();
        try {
            return new JobSession(workspace, actor, shellAllowed, progress, opened);
        } catch (IOException | RuntimeException failure) {
            closeAll(opened, failure);
            throw failure;
        }
    }

    public JobRepository repository() {
        return repository;
    }

    /** Ends what dead processes left, and tells what became of it. */
    public List<JobExecution> recoverDead() {
        node.recoverDead();
        dead.forEach(one -> UnfinishedOutputs.remove(repository, one.execution()));
        return dead.stream()
                .flatMap(one -> repository.execution(one.execution().id()).stream())
                .toList();
    }

    public LaunchResult launch(JobFile file, JobParameters parameters, Set<StepName> acceptedChanges) {
        requireShell(file);
        return node.launcher().launch(compiler.compile(file), parameters, options.withAcceptedChanges(acceptedChanges));
    }

    /** @param key an idempotency key */
    public LaunchResult restart(long executionId, Optional<String> key) {
        repository
                .execution(executionId)
                .flatMap(execution -> repository.definition(execution.definitionDigest()))
                .flatMap(StoredJobFiles::file)
                .ifPresent(this::requireShell);
        return node.launcher().restart(executionId, options.withKey(key));
    }

    /** A job with programs is run where they are allowed: also when its owner died. */
    private boolean mayRun(StoredDefinition stored) {
        return shellAllowed
                || StoredJobFiles.file(stored).filter(JobSession::runsPrograms).isEmpty();
    }

    private static boolean runsPrograms(JobFile file) {
        return file.steps().stream().anyMatch(step -> step.work() instanceof ShellKeys);
    }

    /** Whether the execution's job has steps that run programs. */
    public boolean runsPrograms(JobExecution execution) {
        return repository
                .definition(execution.definitionDigest())
                .flatMap(StoredJobFiles::file)
                .filter(JobSession::runsPrograms)
                .isPresent();
    }

    /** What this process runs now, also what it restarted by itself because its owner died. */
    public List<RunningJob> runs() {
        return node.launcher().runs();
    }

    /** The run of an execution in this process. */
    public Optional<RunningJob> runOf(long executionId) {
        return runs().stream().filter(run -> run.executionId() == executionId).findFirst();
    }

    /** The job file that an execution was launched from, as its user named it then. */
    public Optional<Path> fileOf(JobExecution execution) {
        return repository
                .definition(execution.definitionDigest())
                .flatMap(StoredJobFiles::file)
                .map(file -> file.source()
                        .folder()
                        .resolve(Path.of(file.source().shownName()).getFileName()));
    }

    /** Said before anything is recorded. */
    private void requireShell(JobFile file) {
        file.steps().stream()
                .filter(step -> step.work() instanceof ShellKeys && !shellAllowed)
                .findFirst()
                .ifPresent(step -> {
                    throw new CommandFailure(
                            ExitCode.REFUSED,
                            "the step '" + step.id() + "' runs a program, which was not allowed",
                            "look at its command, then add --allow-shell");
                });
    }

    /** Memory of the running query of a step or {@code step/partition}; its own label begins with the job's name. */
    public @Nullable Memory memoryOf(String step) {
        for (QueryHandle query : backend.live()) {
            String label = query.request().label();
            if (label != null && label.endsWith("/" + step) && query.state() instanceof QueryState.Running running) {
                return new Memory(Memory.UNKNOWN, running.grantBytes());
            }
        }
        return null;
    }

    /**
     * Asks everything that runs here to stop and begins nothing new; again ends the waiting of a {@link #drain}.
     *
     * @param actor who asks, for the record
     */
    public ShutdownRequest requestShutdown(String actor) {
        return node.requestShutdown(actor);
    }

    /** Waits for running work and queries, and tells what could not be waited for; the repository stays open. */
    public Drained drain() {
        return node.drain();
    }

    /** How long a drain may wait. */
    public Duration drainLimit() {
        return drainLimit;
    }

    @Override
    public void close() {
        closeAll(opened, null);
    }

    private static void closeAll(Deque<AutoCloseable> opened, @Nullable Exception cause) {
        Exception first = cause;
        while (!opened.isEmpty()) {
            try {
                opened.pop().close();
            } catch (Exception e) {
                if (first == null) {
                    first = e;
                } else {
                    first.addSuppressed(e);
                }
            }
        }
        if (cause == null && first != null) {
            throw new IllegalStateException("the session did not close cleanly: " + first.getMessage(), first);
        }
    }
}
