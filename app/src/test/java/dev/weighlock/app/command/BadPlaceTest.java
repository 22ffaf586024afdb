package dev.weighlock.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weighlock.app.command.WlProcess.Outcome;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.sqlite.SQLiteDataSource;

/** Outputs that cannot be written and repositories that cannot be used, through the real program. */
class BadPlaceTest {
    @TempDir
    Path folder;

    @TempDir
    Path other;

    @Test
    void output_belowAFile_failsAndLeavesNothing() throws Exception {
        Files.writeString(folder.resolve("out"), "mine");
        write("SELECT 1 AS one");

        Told.clearly(wl("run", "job.yaml"), 1, "out/a.csv cannot be written", "is a file where a folder is needed");
        assertThat(Told.files(folder)).containsExactly("job.yaml", "out");
        assertThat(folder.resolve("out")).hasContent("mine");
    }

    @Test
    @EnabledOnOs(value = OS.LINUX, disabledReason = "mounts a file system of its own")
    void output_inAReadOnlyFolder_failsAndLeavesNothing() throws Exception {
        write("SELECT 1 AS one");

        Outcome outcome = onFileSystem("ro,size=64k", "run", "job.yaml");

        Told.clearly(outcome, 1, "out/a.csv cannot be written", "read-only", "name another folder");
        assertThat(left()).isEmpty();
    }

    @Test
    @EnabledOnOs(value = OS.LINUX, disabledReason = "mounts a file system of its own")
    void output_onAFullDisk_failsAndLeavesNothing() throws Exception {
        write("SELECT range AS i, md5(range::VARCHAR) AS digest FROM range(200000)");

        Outcome outcome = onFileSystem("size=1m", "run", "job.yaml");

        Told.clearly(outcome, 1, "job.yaml:6", "no space is left", "/out", "free some");
        assertThat(left()).isEmpty();
        assertThat(wl("show", "1").out()).contains("RESOURCE_LIMIT");
    }

    @Test
    void repository_ofANewerSchema_isRefusedAndUntouched() throws Exception {
        write("SELECT 1 AS one");
        assertThat(wl("run", "job.yaml").code()).isZero();
        SQLiteDataSource source = new SQLiteDataSource();
        source.setUrl("jdbc:sqlite:" + repository());
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("PRAGMA user_version = 999");
        }
        byte[] before = Files.readAllBytes(repository());

        Told.clearly(wl("run", "job.yaml"), 3, "repository.db", "999", "newer", "use the newer program");
        Told.clearly(wl("executions"), 3, "999", "use the newer program");
        assertThat(repository()).hasBinaryContent(before);
    }

    @Test
    void repository_lockedByAPausedProcess_isReportedWithItsHolder() throws Exception {
        write("SELECT 1 AS one");
        assertThat(wl("run", "job.yaml").code()).isZero();
        try (LockHolder holder = LockHolder.pausedOn(repository(), other)) {
            Outcome outcome = wl("run", "job.yaml", "-p", "n=2");

            Told.clearly(outcome, 7, "repository.db", "locked", "process " + holder.pid(), "let it continue or end it");
            assertThat(wl("show", "1").out()).contains("COMPLETED");
        }
        assertThat(Told.files(folder)).containsExactly("job.yaml", "out/a.csv");
        assertThat(wl("run", "job.yaml", "-p", "n=2").code()).isZero();
    }

    private void write(String sql) throws Exception {
        Files.writeString(folder.resolve("job.yaml"), """
                job: j
                parameters: {n: {type: long, default: 1}}
                steps:
                  - id: a
                    query:
                      sql: %s
                      output: {csv: out/a.csv}
                """.formatted(sql));
    }

    private Path repository() {
        return folder.resolve(".weighlock/repository.db");
    }

    /** Runs with a memory file system on {@code out}, which only this run and the list of what it left can see. */
    private Outcome onFileSystem(String options, String... words) throws Exception {
        Files.createDirectories(folder.resolve("out"));
        List<String> before = new ArrayList<>(List.of("unshare", "--mount"));
        if (!"root".equals(System.getProperty("user.name"))) {
            before.add("--map-root-user");
        }
        before.addAll(List.of(
                "sh",
                "-c",
                """
                mount -t tmpfs -o "$1" none "$0" || exit 99
                listing=$2
                shift 2
                "$@"
                code=$?
                ls -A "$0" >"$listing"
                exit $code
                """,
                folder.resolve("out").toString(),
                options,
                listing().toString()));
        try (WlProcess wl = WlProcess.startUnder(before, folder, Map.of(), words)) {
            Outcome outcome = wl.await();
            assertThat(outcome.code()).as("mounted: %s", outcome.err()).isNotEqualTo(99);
            return outcome;
        }
    }

    private Path listing() {
        return other.resolve("listing");
    }

    private List<String> left() throws Exception {
        return Files.readAllLines(listing());
    }

    private Outcome wl(String... words) throws Exception {
        return WlProcess.run(folder, words);
    }
}
