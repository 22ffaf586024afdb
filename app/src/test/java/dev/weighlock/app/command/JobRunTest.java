package dev.weighlock.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weighlock.app.command.WlProcess.Outcome;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whole jobs through the real program, by what a user sees: output, files, exit codes. */
class JobRunTest {
    /** A hundred trillion pairs: longer than any test waits, and cancelled in milliseconds. */
    private static final String ENDLESS =
            "SELECT count(*) AS s FROM range(10000000) a, range(10000000) b WHERE a.range + b.range = -1";

    @TempDir
    Path folder;

    @BeforeEach
    void writeData() throws Exception {
        Files.writeString(folder.resolve("orders.csv"), "id,country,amount\n1,DE,10.50\n2,FR,20.00\n3,DE,4.25\n");
    }

    @Test
    void run_ownCsv_writesTheReportAndRecordsTheExecution() throws Exception {
        job(
                "totals",
                "SELECT country, sum(CAST(amount AS DECIMAL(15, 2))) AS total FROM 'orders.csv' GROUP BY ALL ORDER BY 1");

        Outcome first = wl("run", "totals.yaml", "-p", "day=1");

        assertThat(first.code()).as(first.err()).isZero();
        assertThat(first.out())
                .contains("execution 1", ".weighlock/repository.db", "COMPLETED")
                .doesNotContain("\u001b");
        assertThat(Files.readString(folder.resolve("out/totals.csv"))).isEqualTo("country,total\nDE,14.75\nFR,20.00\n");
        assertThat(wl("run", "totals.yaml", "-p", "day=1").code()).isEqualTo(5);
        assertThat(wl("run", "totals.yaml", "-p", "day=1", "--if-not-complete").code())
                .isZero();
        assertThat(wl("run", "totals.yaml", "-p", "day=2").code()).isZero();
        assertThat(wl("jobs").out()).contains("totals");
        assertThat(wl("executions", "totals").out().lines()).hasSize(3);
        assertThat(wl("executions", "nothing").code()).isEqualTo(4);
        assertThat(wl("show", "1").out()).contains("COMPLETED", "totals", "SUCCEEDED", "GRANTED");
        assertThat(wl("show", "1", "--json").out()).startsWith("{\"schema\":\"weighlock.execution/1\",\"id\":1");
        assertThat(wl("show", "99").code()).isEqualTo(4);
        assertThat(wl("stop", "1").code()).isEqualTo(3);
        assertThat(wl("restart", "1").code()).isEqualTo(5);
        assertThat(wl("restart", "99").code()).isEqualTo(4);
    }

    @Test
    void run_badFile_saysEveryProblemAndRunsNothing() throws Exception {
        Files.writeString(folder.resolve("bad.yaml"), "job: bad\nstepps: []\nsteps:\n  - id: a\n");

        Outcome outcome = wl("run", "bad.yaml");

        assertThat(outcome.code()).isEqualTo(2);
        assertThat(outcome.err()).contains("bad.yaml:2", "stepps", "bad.yaml:4");
        assertThat(wl("run", "missing.yaml").code()).isEqualTo(2);
        assertThat(folder.resolve(".weighlock")).doesNotExist();
    }

    @Test
    void run_missingParameter_isUsage() throws Exception {
        job("totals", "SELECT 1 AS one");

        Outcome outcome = wl("run", "totals.yaml");

        assertThat(outcome.code()).isEqualTo(2);
        assertThat(outcome.err()).contains("day", "-p day=");
    }

    @Test
    void run_sqlFails_isFailureAndTheMendedFileRestartsOnlyWhenAccepted() throws Exception {
        job("totals", "SELECT nothing FROM 'orders.csv'");
        Outcome failed = wl("run", "totals.yaml", "-p", "day=1");
        job("totals", "SELECT id FROM 'orders.csv' ORDER BY id");

        Outcome changed = wl("run", "totals.yaml", "-p", "day=1");
        Outcome accepted = wl("run", "totals.yaml", "-p", "day=1", "--accept-change", "totals");

        assertThat(failed.code()).isEqualTo(1);
        assertThat(failed.err()).contains("nothing", "wl restart 1").doesNotContain("\tat ");
        assertThat(changed.code()).isEqualTo(3);
        assertThat(changed.err()).contains("totals", "--accept-change");
        assertThat(accepted.code()).as(accepted.err()).isZero();
        assertThat(audited()).containsExactly("accept-change the step \"totals\"", "restart of execution 1");
        assertThat(wl("logs", "1").out()).contains("nothing");
    }

    @Test
    void stop_fromAnotherProcess_endsTheRunStopped() throws Exception {
        job("endless", ENDLESS);
        try (WlProcess run = WlProcess.start(folder, Map.of(), "run", "endless.yaml", "-p", "day=1")) {
            run.awaitOut("STARTED");
            Outcome second = wl("run", "endless.yaml", "-p", "day=1");
            Outcome stop = wl("stop", "1");
            Outcome ended = run.await();

            assertThat(second.code()).isEqualTo(5);
            assertThat(stop.code()).isZero();
            assertThat(ended.code()).isEqualTo(131);
            assertThat(wl("show", "1").out()).contains("STOPPED", "asked for by");
            assertThat(wl("abandon", "1").code()).isZero();
            assertThat(wl("restart", "1").code()).isEqualTo(5);
        }
    }

    @Test
    void terminate_onceStopsCleanly() throws Exception {
        job("endless", ENDLESS);
        try (WlProcess run = WlProcess.start(folder, Map.of(), "run", "endless.yaml", "-p", "day=1")) {
            run.awaitOut("STARTED");
            run.terminate();

            Outcome ended = run.await();

            assertThat(ended.code()).isEqualTo(143);
            assertThat(ended.err()).contains("stopping", "wl restart 1");
            assertThat(wl("show", "1").out()).contains("STOPPED");
        }
    }

    @Test
    void kill_theNextCommandRecoversAndRestarts() throws Exception {
        job("endless", ENDLESS);
        try (WlProcess run = WlProcess.start(folder, Map.of(), "run", "endless.yaml", "-p", "day=1")) {
            run.awaitOut("STARTED");
            run.kill();
            run.await();
        }
        job("endless", "SELECT 1 AS s");

        Outcome outcome = wl("run", "endless.yaml", "-p", "day=1", "--accept-change", "endless");

        assertThat(outcome.code()).as(outcome.err()).isZero();
        assertThat(outcome.err()).contains("recovered execution 1");
        assertThat(wl("show", "1").out()).contains("FAILED", "OWNER_LOST");
    }

    @Test
    void check_soundFile_drawsTheGraph() throws Exception {
        job("totals", "SELECT 1 AS one");

        Outcome outcome = wl("check", "totals.yaml");

        assertThat(outcome.code()).isZero();
        assertThat(outcome.out()).contains("job totals", "totals (query -> out/totals.csv)", "COMPLETE", "is sound");
    }

    /** What the repository's audit holds, in order. */
    private List<String> audited() throws Exception {
        List<String> entries = new ArrayList<>();
        try (Connection connection =
                        DriverManager.getConnection("jdbc:sqlite:" + folder.resolve(".weighlock/repository.db"));
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT action || ' ' || detail AS entry FROM audit_entry")) {
            while (rows.next()) {
                entries.add(rows.getString("entry"));
            }
        }
        return entries;
    }

    /** A job of one query step of the same name, told apart by the parameter {@code day}. */
    private void job(String name, String sql) throws Exception {
        Files.createDirectories(folder.resolve("out"));
        Files.writeString(folder.resolve(name + ".yaml"), """
                job: %s
                parameters: {day: {type: long}}
                steps:
                  - id: %s
                    query:
                      sql: |
                        %s
                      output: {csv: out/%s.csv}
                """.formatted(name, name, sql, name));
    }

    private Outcome wl(String... words) throws Exception {
        return WlProcess.run(folder, words);
    }
}
