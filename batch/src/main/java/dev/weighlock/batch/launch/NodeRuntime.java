package dev.weighlock.batch.launch;

import dev.weighlock.batch.JobExecution;
import dev.weighlock.batch.operate.JobOperator;
import dev.weighlock.batch.repository.JobRepository;
import dev.weighlock.batch.repository.NodeInfo;
import dev.weighlock.batch.run.ProgressListener;
import dev.weighlock.batch.run.RunEnvironment;
import dev.weighlock.batch.shutdown.Drained;
import dev.weighlock.batch.shutdown.OwnedResource;
import dev.weighlock.batch.shutdown.OwnedTasks;
import dev.weighlock.batch.shutdown.ShutdownCoordinator;
import dev.weighlock.batch.shutdown.ShutdownHooks;
import dev.weighlock.batch.shutdown.ShutdownRequest;
import dev.weighlock.batch.shutdown.ShutdownResult;
import dev.weighlock.batch.shutdown.ShutdownSettings;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Predicate;

/**
 * This process as a node that runs jobs of one repository: it owns the threads, the proof of life and the watch for
 * stop requests.
 *
 * <p>Thread-safe. Whoever started it closes it, then the repository, unless a hook of the shutdown closes that: closing
 * stops what runs and joins it.
 */
public final class NodeRuntime implements AutoCloseable {
    /** How long work that a resource has let go may take to store its end. */
    private static final Duration RECORDING = Duration.ofSeconds(5);

    private final ActiveRuns runs = new ActiveRuns();
    private final OwnedTasks tasks;
    private final ShutdownCoordinator coordinator;
    private final JobLauncher launcher;
    private final JobOperator operator;
    private final DeadOwners deadOwners;
    private final StopWatch watch;
    private volatile String stopper;

    private NodeRuntime(Builder builder) {
        tasks = new OwnedTasks("weighlock-work", () -> runs.stopAll(stopper));
        stopper = "the shutdown of process " + builder.node.pid();
        var environment = new RunEnvironment(builder.repository, tasks, builder.progress);
        var letGo = new LetGo(builder.repository);
        launcher = new JobLauncher(
                environment,
                runs,
                letGo,
                builder.node,
                builder.definitions,
                builder.secrets,
                builder.settings.poll(),
                this::recoverDead);
        operator = new JobOperator(builder.repository);
        deadOwners = new DeadOwners(builder.repository, builder.recovers, launcher, builder.definitions, builder.node);
        builder.repository.register(builder.node);
        watch = new StopWatch(builder.repository, runs, deadOwners, letGo, builder.settings);
        coordinator = new ShutdownCoordinator(builder.shutdown, tasks, hooks(builder.hooks, letGo));
        builder.resources.forEach(coordinator::own);
    }

    /** Those of the node's owner, after its own: the heartbeat ends before the repository closes. */
    private ShutdownHooks hooks(ShutdownHooks owners, LetGo letGo) {
        return owners.withPersist(held -> {
                    if (!held.isEmpty()) {
                        // Work that waited for a resource was let go just now, and stores its end.
                        tasks.awaitEnds(RECORDING);
                    }
                    letGo.settle();
                    owners.persist().run(held);
                })
                .withStopHeartbeat(() -> {
                    watch.close();
                    owners.stopHeartbeat().run();
                });
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

    /** Closes the intake and asks all runs to stop; a second request ends the joining of a shutdown under way. */
    public ShutdownRequest requestShutdown() {
        return coordinator.requestShutdown();
    }

    /**
     * The same.
     *
     * @param actor who asks, for the record of what the first request stops
     */
    public ShutdownRequest requestShutdown(String actor) {
        stopper = actor;
        return coordinator.requestShutdown();
    }

    /** Makes the first request when there was none, waits for running work and stores the record; done once. */
    public Drained drain() {
        return coordinator.drain();
    }

    /** The whole order, heartbeat and the owner's hooks too; done once. What still runs then goes on without us. */
    public ShutdownResult shutdown() {
        return coordinator.shutdown();
    }

    @Override
    public void close() {
        shutdown();
    }

    /** What a node can be told. For one thread. */
    public static final class Builder {
        private final JobRepository repository;
        private NodeInfo node = thisProcess();
        private NodeSettings settings = NodeSettings.DEFAULT;
        private ProgressListener progress = event -> {};
        private JobDefinitions definitions = JobDefinitions.of();
        private SecretResolver secrets = SecretResolver.environment();
        private Predicate<JobExecution> recovers = dead -> true;
        private ShutdownSettings shutdown = ShutdownSettings.DEFAULT;
        private ShutdownHooks hooks = ShutdownHooks.NONE;
        private final List<OwnedResource> resources = new ArrayList<>();

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

        /** Which executions of dead owners this node ends; all of them unless told. The others are left to other nodes. */
        public Builder recovers(Predicate<JobExecution> which) {
            recovers = which;
            return this;
        }

        public Builder shutdown(ShutdownSettings limits) {
            shutdown = limits;
            return this;
        }

        /** What the shutdown does besides what the node needs itself. */
        public Builder hooks(ShutdownHooks own) {
            hooks = own;
            return this;
        }

        /** Closes {@code resource} inside the shutdown, after the tasks are joined. */
        public Builder owning(OwnedResource resource) {
            resources.add(resource);
            return this;
        }

        /** Registers the node and begins to watch. */
        public NodeRuntime start() {
            return new NodeRuntime(this);
        }
    }
}
