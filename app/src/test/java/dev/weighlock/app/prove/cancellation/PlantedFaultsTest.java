package dev.weighlock.app.prove.cancellation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weighlock.app.prove.stand.Pulse;
import dev.weighlock.app.prove.stand.Report;
import dev.weighlock.app.prove.stand.ReportRun;
import dev.weighlock.app.prove.stand.Seen;
import dev.weighlock.app.prove.stand.Settings;
import dev.weighlock.app.prove.stand.Target;
import dev.weighlock.app.prove.stand.Targets;
import dev.weighlock.batch.BatchStatus;
import dev.weighlock.batch.jdbc.postgres.PostgresSchema;
import dev.weighlock.batch.jdbc.postgres.PostgresSettings;
import dev.weighlock.batch.shutdown.DrainResult;
import dev.weighlock.batch.shutdown.TaskPhase;
import dev.weighlock.batch.tasklet.TaskletOutcome;
import dev.weighlock.batch.testkit.EmbeddedDatabase;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A campaign that cannot fail proves nothing: each fault fails the report that is about it, and no other. */
class PlantedFaultsTest {
    private static final Map<String, String> SHAPE =
            Map.of("partitions", "12", "work", "200ms", "deadlines", "5s", "limit", "5m");

    @TempDir
    Path folder;

    /** The violations of each report that failed, of all four. */
    private Map<String, String> failures(Seams seams) throws Exception {
        return failures(seams, report -> true);
    }

    private Map<String, String> failures(Seams seams, Predicate<Report> chosen) throws Exception {
        String url = EmbeddedDatabase.url(EmbeddedDatabase.createDatabase());
        new PostgresSchema(PostgresSettings.of(url, () -> Optional.of(EmbeddedDatabase.USER), Optional::empty))
                .migrate();
        CancellationCampaign campaign = new CancellationCampaign(seams);
        Settings settings = Settings.of(campaign, SHAPE);
        Map<String, String> failures = new TreeMap<>();
        try (Target target = Targets.named(url, Map.of("PGUSER", EmbeddedDatabase.USER), folder, folder)) {
            campaign.reports().stream().filter(chosen).forEach(report -> {
                ReportRun run = ReportRun.of(campaign, report, target, settings, folder);
                if (!run.passed()) {
                    failures.put(report.name(), String.join("\n", run.findings().violations()));
                }
            });
            assertNothingIsLeft(target);
        }
        return failures;
    }

    private static void assertNothingIsLeft(Target target) throws SQLException {
        try (Connection connection = target.connect();
                var statement = connection.createStatement();
                var row = statement.executeQuery("""
                    SELECT (SELECT count(*) FROM job) + (SELECT count(*) FROM job_execution)
                        + (SELECT count(*) FROM partition_execution) + (SELECT count(*) FROM definition)
                        + (SELECT count(*) FROM node) + (SELECT count(*) FROM audit_entry)
                        + (SELECT count(*) FROM pg_namespace WHERE nspname = 'weighlock_prove')
                    """)) {
            row.next();
            assertThat(row.getLong(1)).isZero();
        }
    }

    private static boolean isOf(Work work, String report) {
        return work.job().endsWith(report);
    }

    @Test
    void drainThatAlwaysReportsAllJoined_failsDeadlineUnjoined() throws Exception {
        Map<String, String> failures = failures(Seams.NONE.withDrain(said -> new DrainResult.Complete(0)));

        assertThat(failures).containsOnlyKeys("deadline-unjoined");
        assertThat(failures.get("deadline-unjoined")).contains("held 3 tasks and reported Complete");
    }

    @Test
    void drainThatAlwaysReportsTheSameCount_failsDeadlineUnjoined() throws Exception {
        DrainResult constant = new DrainResult.Incomplete(
                3, Map.of(TaskPhase.TASKLET, 1, TaskPhase.CHUNK_READ_PROCESS, 1, TaskPhase.TRANSACTION, 1), 0, false);

        Map<String, String> failures = failures(
                Seams.NONE.withDrain(said -> constant), report -> report.name().equals("deadline-unjoined"));

        assertThat(failures).containsOnlyKeys("deadline-unjoined");
        assertThat(failures.get("deadline-unjoined"))
                .contains("whose tasks all ended reported Incomplete", "held 4 tasks and reported 3");
    }

    @Test
    void workerThatOutlivesItsParent_failsPhaseSeparation() throws Exception {
        AtomicBoolean planted = new AtomicBoolean();

        Map<String, String> failures = failures(Seams.NONE.withBody((work, body) -> {
            if (!isOf(work, "phase-separation-async") || !planted.compareAndSet(false, true)) {
                return body.run(work);
            }
            Pulse pulse = work.bodies().begin(work.execution(), work.key());
            Thread.ofPlatform().daemon().start(() -> liveOn(pulse));
            return TaskletOutcome.COMPLETED;
        }));

        assertThat(failures).containsOnlyKeys("phase-separation");
        assertThat(failures.get("phase-separation"))
                .contains("1 worker(s) still ran when STOPPED was seen", "outlived its parent");
    }

    /** Until the report takes its table away. */
    private static void liveOn(Pulse pulse) {
        try {
            while (true) {
                pulse.beat();
                Thread.sleep(10);
            }
        } catch (SQLException | InterruptedException over) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void partitionThatIsLost_failsOperatorStop() throws Exception {
        Map<String, String> failures = failures(Seams.NONE.withBody((work, body) -> {
            if (isOf(work, "operator-stop")) {
                lose(work, "partition-0011");
            }
            return body.run(work);
        }));

        assertThat(failures).containsOnlyKeys("operator-stop");
        assertThat(failures.get("operator-stop")).contains("partition partition-0011 of the plan is lost");
    }

    private static void lose(Work work, String key) throws SQLException {
        try (Connection connection = work.target().connect();
                var delete = connection.prepareStatement(
                        "DELETE FROM partition_execution WHERE partition_key = ? AND status = 'PLANNED'")) {
            delete.setString(1, key);
            delete.executeUpdate();
        }
    }

    @Test
    void terminalBeforeIntake_failsWhatStops() throws Exception {
        Map<String, String> failures = failures(Seams.NONE.withSeen(PlantedFaultsTest::terminalFirst));

        assertThat(failures).containsOnlyKeys("operator-stop", "phase-separation");
        assertThat(failures.values())
                .allSatisfy(
                        said -> assertThat(said).contains("the terminal status was seen before the intake stopped"));
    }

    @Test
    void watcherThatSawNothing_failsWhatIsWatched() throws Exception {
        Map<String, String> failures = failures(Seams.NONE.withSeen(seen -> List.of()));

        assertThat(failures).containsOnlyKeys("operator-stop", "phase-separation", "restart-after-cancellation");
        assertThat(failures.values()).allSatisfy(said -> assertThat(said).contains("no end was seen from outside"));
    }

    @Test
    void heartbeatRowsThatAreMissing_failWhatHasWorkers() throws Exception {
        Map<String, String> failures = failures(Seams.NONE.withBody((work, body) -> {
            TaskletOutcome outcome = body.run(work);
            forget(work);
            return outcome;
        }));

        assertThat(failures).containsOnlyKeys("operator-stop", "phase-separation", "restart-after-cancellation");
        assertThat(failures.values())
                .allSatisfy(said -> assertThat(said)
                        .contains("partition partition-0000 is COMPLETED, and no body says that it completed it"));
    }

    private static void forget(Work work) throws SQLException {
        try (Connection connection = work.target().connect();
                var delete = connection.prepareStatement(
                        "DELETE FROM " + Target.SCHEMA + ".body WHERE execution_id = ? AND partition_key = ?")) {
            delete.setLong(1, work.execution());
            delete.setString(2, work.key());
            delete.executeUpdate();
        }
    }

    /** Nothing else tells that it ran: the stopped attempt of a restart has many bodies. */
    @Test
    void heartbeatRowOfAStoppedBodyThatIsMissing_failsTheReport() throws Exception {
        AtomicBoolean planted = new AtomicBoolean();

        Map<String, String> failures = failures(
                Seams.NONE.withBody((work, body) -> {
                    TaskletOutcome outcome = body.run(work);
                    if (!(outcome instanceof TaskletOutcome.Completed) && planted.compareAndSet(false, true)) {
                        forget(work);
                    }
                    return outcome;
                }),
                report -> report.name().equals("restart-after-cancellation"));

        assertThat(failures.get("restart-after-cancellation")).contains("bodies began, and there are rows of");
    }

    private static List<Seen> terminalFirst(List<Seen> seen) {
        List<Seen> first = new ArrayList<>(seen);
        first.removeIf(one -> one.status() == BatchStatus.STOPPING);
        seen.stream().filter(one -> one.status() == BatchStatus.STOPPING).forEach(first::add);
        return first;
    }

    @Test
    void committedPartitionThatRunsAgain_failsRestartAfterCancellation() throws Exception {
        AtomicBoolean planted = new AtomicBoolean();

        Map<String, String> failures = failures(Seams.NONE.withBody((work, body) -> {
            if (isOf(work, "restart-after-cancellation") && work.attempt() == 2 && planted.compareAndSet(false, true)) {
                body.run(work.withKey("partition-0000"));
            }
            return body.run(work);
        }));

        assertThat(failures).containsOnlyKeys("restart-after-cancellation");
        assertThat(failures.get("restart-after-cancellation"))
                .contains("ran partitions again that the stopped attempt had committed: [partition-0000]");
    }
}
