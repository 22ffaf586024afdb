package dev.weighlock.app.prove.cancellation;

import dev.weighlock.app.prove.stand.Findings;
import dev.weighlock.app.prove.stand.Report;
import dev.weighlock.app.prove.stand.Seen;
import dev.weighlock.app.prove.stand.Stand;
import dev.weighlock.batch.BatchException;
import dev.weighlock.batch.run.RunningJob;
import dev.weighlock.batch.shutdown.OwnedTasks;
import dev.weighlock.batch.shutdown.ShutdownCoordinator;
import dev.weighlock.batch.shutdown.ShutdownHooks;
import dev.weighlock.batch.shutdown.ShutdownRequest;
import dev.weighlock.batch.shutdown.ShutdownSettings;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The same stop while the workers are in one phase, each phase for itself, and the intake of a process beside them. */
final class PhaseSeparation implements Report {
    private final Seams seams;

    PhaseSeparation(Seams seams) {
        this.seams = seams;
    }

    @Override
    public String name() {
        return "phase-separation";
    }

    @Override
    public String proves() {
        return "a stop ends work that waits, work that cannot see it, and work inside a transaction; each phase was"
                + " occupied when the stop was requested";
    }

    @Override
    public String provesNot() {
        return "a mean over the phases; phases of remote workers, of which there are none here";
    }

    @Override
    public void run(Stand stand, Findings findings) throws Exception {
        Shape shape = Shape.of(stand.settings());
        makeEffects(stand);
        Map<String, Object> phases = new LinkedHashMap<>();
        for (Phase phase : Phase.values()) {
            phases.put(phase.word(), run(phase, stand, shape, findings));
        }
        findings.fact("phases", phases);
        processIntake(findings);
        findings.unexamined("remote_workers", "partitions run in this process; there is no other handler to measure");
        findings.unexamined("message_broker", "there is none to measure");
        if (!stand.target().writersAtOnce()) {
            findings.unexamined(
                    "transaction_that_writes",
                    "SQLite has one writer at a time, so the transactions of several workers only read here");
        }
    }

    private static void makeEffects(Stand stand) throws SQLException {
        try (Connection connection = stand.target().connect();
                var statement = connection.createStatement()) {
            statement.execute("CREATE TABLE " + Workers.EFFECTS + " (partition_key text NOT NULL)");
        }
    }

    private Map<String, @Nullable Object> run(Phase phase, Stand stand, Shape shape, Findings findings)
            throws Exception {
        Gate gate = new Gate();
        try (Scene scene = new Scene(stand, shape, findings, seams, name() + "-" + phase.word(), phase, gate)) {
            RunningJob run = scene.launch();
            scene.awaitCommitted(run);
            boolean entered = gate.awaitEntered(shape.limit());
            long inFlight = scene.recorded(run).running();
            Scene.Request request = scene.requestStop(run);
            scene.awaitStopping(run.executionId());
            gate.release();
            scene.awaitEnd(run);
            Recorded recorded = scene.recorded(run);
            List<Seen> seen = seams.seen().apply(scene.watched());

            Judge judge = new Judge(findings, "the attempt stopped in the " + phase.word() + " phase");
            findings.require(request.accepted(), judge.what() + ": the stop request was refused");
            findings.require(
                    entered && inFlight > 0, judge.what() + ": no worker was in the phase when the stop was requested");
            judge.stopped(recorded);
            judge.whole(recorded, shape.keys());
            judge.preserved(recorded, Set.of(shape.keys().getFirst()));
            judge.inOrder(seen);
            judge.nothingRuns(seen, recorded);
            judge.counted(scene.occupancy(), recorded.bodies().size());
            judge.instants(recorded.execution());
            if (phase == Phase.TRANSACTION) {
                rolledBack(stand, recorded, findings);
            }

            Figures figures = new Figures(findings, phase.word() + "_");
            figures.seen(request.sentAt(), seen);
            figures.stored(recorded.execution());
            figures.workers(scene.occupancy());
            findings.count(phase.word() + "_in_flight_at_the_request", inFlight);
            Map<String, @Nullable Object> facts = new LinkedHashMap<>();
            facts.put("mechanism", "the body " + phase.mechanism());
            facts.put("stop_timing_promised", phase.contract());
            facts.put("request", Figures.request(scene, request, shape));
            facts.put("partitions_by_status", recorded.byStatus());
            facts.put("watcher", scene.watcher());
            return facts;
        }
    }

    /** Only completed partitions left what they wrote. */
    private static void rolledBack(Stand stand, Recorded recorded, Findings findings) throws SQLException {
        if (!stand.target().writersAtOnce()) {
            return;
        }
        Set<String> left = new TreeSet<>();
        try (Connection connection = stand.target().connect();
                var statement = connection.createStatement();
                var rows = statement.executeQuery("SELECT partition_key FROM " + Workers.EFFECTS)) {
            while (rows.next()) {
                left.add(rows.getString(1));
            }
        }
        findings.require(
                left.equals(recorded.completed()),
                "the transactions left the rows of " + left + ", the completed partitions are " + recorded.completed());
    }

    /** The other intake: of a process, closed by a state and not by a row. */
    private static void processIntake(Findings findings) {
        ShutdownCoordinator coordinator = new ShutdownCoordinator(
                ShutdownSettings.DEFAULT, new OwnedTasks("weighlock-prove", () -> {}), ShutdownHooks.NONE);
        findings.require(accepts(coordinator), "the intake of a process was closed before its shutdown was requested");
        long begun = System.nanoTime();
        ShutdownRequest first = coordinator.requestShutdown();
        boolean accepts = accepts(coordinator);
        findings.latency("process_request_to_intake_closed", Duration.ofNanos(System.nanoTime() - begun));
        findings.require(
                first == ShutdownRequest.INITIATED, "the first shutdown request of a process answered " + first);
        findings.require(!accepts, "the intake of a process was open after its shutdown was requested");
        coordinator.shutdown();
    }

    private static boolean accepts(ShutdownCoordinator coordinator) {
        try {
            coordinator.ensureAccepting();
            return true;
        } catch (BatchException closed) {
            return false;
        }
    }
}
