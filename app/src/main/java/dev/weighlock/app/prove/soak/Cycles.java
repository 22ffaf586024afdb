package dev.weighlock.app.prove.soak;

import dev.weighlock.app.prove.stand.ChunkPlace;
import dev.weighlock.app.prove.stand.Findings;
import dev.weighlock.app.prove.stand.Numbers;
import dev.weighlock.app.prove.stand.Report;
import dev.weighlock.app.prove.stand.Stand;
import dev.weighlock.app.wiring.Backends;
import dev.weighlock.app.wiring.Workspace;
import dev.weighlock.batch.BatchStatus;
import dev.weighlock.batch.JobExecution;
import dev.weighlock.batch.launch.LaunchResult;
import dev.weighlock.batch.launch.NodeRuntime;
import dev.weighlock.batch.repository.JobRepository;
import dev.weighlock.batch.run.RunningJob;
import dev.weighlock.batch.shutdown.DrainResult;
import dev.weighlock.batch.shutdown.ShutdownHooks;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Cycle after cycle in one node: an attempt that goes wrong, a restart that completes, a look at what is left. */
final class Cycles implements Report {
    private final Runnable besides;

    Cycles(Runnable besides) {
        this.besides = besides;
    }

    @Override
    public String name() {
        return "cycles";
    }

    @Override
    public String proves() {
        return "in one process, threads, file handles, connections, temporary files and heap stay flat over cycles of a"
                + " job with partitions, chunks and a query that spills, each of which goes wrong once and is"
                + " restarted; each row is there once";
    }

    @Override
    public String provesNot() {
        return "that the database stays flat, whose history grows until it is purged; failures of the connection to it;"
                + " days of work";
    }

    @Override
    public void run(Stand stand, Findings findings) throws Exception {
        Shape shape = Shape.of(stand.settings());
        Numbers.makeTable(stand.target());
        Path spill = Files.createDirectories(stand.folder().resolve("spill"));
        Path settings = Files.createDirectories(stand.folder().resolve("soak"));
        Files.writeString(settings.resolve("weighlock.yaml"), "devices: {host: {limit: 512MiB}}\n");
        Workspace workspace = Workspace.of(settings, System.getenv(), null);
        try (JobRepository repository = stand.target().open(shape.pool());
                ChunkPlace place = stand.target().chunks();
                Backends.Opened opened = Backends.open(workspace, spill)) {
            NodeRuntime node = stand.node(repository).start();
            try {
                Soak soak = new Soak(stand, shape, findings, place, opened, node);
                List<Sample> samples = new ArrayList<>();
                for (int cycle = 0; cycle < shape.cycles(); cycle++) {
                    soak.cycle(cycle);
                    samples.add(Sample.now(stand.target().connections(), spill));
                }
                soak.tell(samples);
            } finally {
                end(node, findings);
            }
        }
    }

    private static void end(NodeRuntime node, Findings findings) {
        var ended = node.shutdown();
        if (!(ended.drained().tasks() instanceof DrainResult.Complete(int panicked)) || panicked > 0) {
            findings.violation("tasks are left, or broke, at the end: " + ended.drained());
        }
        ended.hooks().stream()
                .filter(hook -> hook.status() != ShutdownHooks.Status.COMPLETED)
                .forEach(hook -> findings.violation(
                        "ending the node, " + hook.kind() + " " + hook.status() + ": " + hook.problem()));
    }

    /** The cycles of one run. */
    private final class Soak {
        private final Stand stand;
        private final Shape shape;
        private final Findings findings;
        private final ChunkPlace place;
        private final Backends.Opened opened;
        private final NodeRuntime node;
        private final Map<String, Integer> firstAttempts = new TreeMap<>();
        private final List<Duration> took = new ArrayList<>();
        private final AtomicLong spilled = new AtomicLong();

        Soak(Stand stand, Shape shape, Findings findings, ChunkPlace place, Backends.Opened opened, NodeRuntime node) {
            this.stand = stand;
            this.shape = shape;
            this.findings = findings;
            this.place = place;
            this.opened = opened;
            this.node = node;
        }

        void cycle(int number) throws Exception {
            String instance = "cycle-" + number;
            Failure failure = Failure.of(number);
            long begun = System.nanoTime();
            JobExecution first = attempt(instance, failure);
            firstAttempts.merge(failure + " " + first.status(), 1, Integer::sum);
            BatchStatus expected = failure == Failure.STOP ? BatchStatus.STOPPED : BatchStatus.FAILED;
            findings.require(
                    first.status() == expected,
                    instance + ": the attempt with the failure " + failure + " is " + first.status() + ", not "
                            + expected);
            JobExecution second = attempt(instance, null);
            took.add(Duration.ofNanos(System.nanoTime() - begun));
            findings.require(
                    second.status() == BatchStatus.COMPLETED,
                    instance + ": the restart is " + second.status() + ": "
                            + second.diagnostics().orElse(""));
            long numbers = (long) shape.partitions() * shape.numbers();
            Numbers.Written written = Numbers.written(stand.target(), instance);
            findings.require(
                    written.isEachOnce(numbers),
                    instance + ": " + numbers + " rows should be there, each once, and there are " + written);
            findings.require(
                    opened.backend().live().isEmpty()
                            && opened.backend().device().grants().isEmpty(),
                    instance + ": queries or grants are left after it");
        }

        private JobExecution attempt(String instance, @Nullable Failure failure) throws InterruptedException {
            CycleJob cycle = new CycleJob(
                    shape, place, opened.backend(), bytes -> spilled.addAndGet(bytes > 0 ? 1 : 0), besides, failure);
            LaunchResult result = node.launcher().launch(cycle.job(stand.job("soak")), CycleJob.parameters(instance));
            if (!(result instanceof LaunchResult.Launched(RunningJob run))) {
                throw new IllegalStateException(instance + " was not launched: " + result);
            }
            if (failure == Failure.STOP) {
                cycle.awaitLast(shape.limit());
                node.operator().stop(run.executionId(), "operator:weighlock-prove");
            }
            if (run.await(shape.limit()).isEmpty()) {
                throw new IllegalStateException(instance + " did not end within " + shape.limit());
            }
            return run.execution();
        }

        void tell(List<Sample> samples) {
            findings.count("cycles", samples.size());
            findings.count("attempts", 2L * samples.size());
            findings.count("queries_that_spilled", spilled.get());
            findings.require(spilled.get() > 0, "no query wrote temporary files, so that none are left shows nothing");
            findings.fact("first_attempts", firstAttempts);
            took.sort(null);
            findings.latency("cycle_median", Optional.of(took.get(took.size() / 2)));
            findings.latency("cycle_longest", Optional.of(took.getLast()));
            if (samples.getLast().connections() == 0) {
                findings.unexamined("connections", "there is no server; what a file's connections hold are handles");
            }
            findings.fact("figures", new Flatness(samples, findings).judged());
            findings.fact("first_sample", samples.getFirst().document());
            findings.fact("last_sample", samples.getLast().document());
        }
    }
}
