package dev.weighlock.batch.launch;

import dev.weighlock.batch.JobExecution;
import dev.weighlock.batch.operate.JobOperator;
import dev.weighlock.batch.repository.JobRepository;
import dev.weighlock.batch.repository.NodeInfo;
import dev.weighlock.batch.run.ProgressListener;
import dev.weighlock.batch.run.RunEnvironment;
import dev.weighlock.batch.shutdown.DrainResult;
import dev.weighlock.batch.shutdown.OwnedTasks;
import dev.weighlock.batch.shutdown.ShutdownRequest;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;

/**
 * This process as a node that runs jobs of one repository: it owns the threads, the proof of life and the watch for
 * stop requests.
 *
 * <p>Thread-safe. Whoever started it closes it, then the repository: closing stops what runs and joins it.
 */
public final class NodeRuntime implements AutoCloseable {
    private final NodeSettings settings;
    private final ActiveRuns runs = new ActiveRuns();
    private final OwnedTasks tasks;
    private final JobLauncher launcher;
    private final JobOperator operator;
    private final DeadOwners deadOwners;
    private final StopWatch watch;

    private NodeRuntime(Builder builder) {
        settings = builder.settings;
        tasks = new OwnedTasks("weighlock-work", runs::stopAll);
        var environment = new RunEnvironment(builder.repository, tasks, builder.progress);
        var letGo = new LetGo(builder.repository);
        launcher = new JobLauncher(environment, runs, letGo, builder.node, builder.definitions, builder.secrets);
        operator = new JobOperator(builder.repository);
        deadOwners = new DeadOwners(builder.repository, launcher, builder.definitions, builder.node);
        builder.repository.register(builder.node);
        watch = new StopWatch(builder.repository, runs, deadOwners, letGo, settings);
    }

    public static Builder on(JobRepository repository) {
        return new Builder(repository);
    }

    public JobLauncher launcher() {
        return launcher;
    }

    public JobOperator operator() {
        return operator;
    }

    /**
     * Ends executions whose owner is provably dead, and restarts those whose job says so; also done now and then by
     * itself.
     *
     * @return those that became FAILED
     */
    public List<JobExecution> recoverDead() {
        return deadOwners.recover();
    }

    /** Closes the intake and asks all runs to stop; a second request ends a {@link #drain} under way. */
    public ShutdownRequest requestShutdown() {
        return tasks.request();
    }

    /** Makes the first request when there was none, and waits for running work. */
    public DrainResult drain(Duration atMost) throws InterruptedException {
        tasks.requestIfAccepting();
        return tasks.join(atMost);
    }

    /** Drains at most as long as the settings say. What still runs then goes on without a watch for stops. */
    @Override
    public void close() {
        try {
            drain(settings.join());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            watch.close();
            tasks.close();
        }
    }

    /** What a node can be told. For one thread. */
    public static final class Builder {
        private final JobRepository repository;
        private NodeInfo node = thisProcess();
        private NodeSettings settings = NodeSettings.DEFAULT;
        private ProgressListener progress = event -> {};
        private JobDefinitions definitions = JobDefinitions.of();
        private SecretResolver secrets = SecretResolver.environment();

        private Builder(JobRepository repository) {
            this.repository = repository;
        }

        private static NodeInfo thisProcess() {
            return new NodeInfo(
                    UUID.randomUUID().toString(),
                    host(),
                    ProcessHandle.current().pid());
        }

        private static String host() {
            try {
                return InetAddress.getLocalHost().getHostName();
            } catch (UnknownHostException e) {
                return "localhost";
            }
        }

        public Builder node(NodeInfo info) {
            node = info;
            return this;
        }

        public Builder settings(NodeSettings times) {
            settings = times;
            return this;
        }

        public Builder progress(ProgressListener listener) {
            progress = listener;
            return this;
        }

        public Builder definitions(JobDefinitions known) {
            definitions = known;
            return this;
        }

        public Builder secrets(SecretResolver resolver) {
            secrets = resolver;
            return this;
        }

        /** Registers the node and begins to watch. */
        public NodeRuntime start() {
            return new NodeRuntime(this);
        }
    }
}
