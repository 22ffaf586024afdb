package dev.weighlock.duckdb;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weighlock.query.engine.EngineSession;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(300)
class TempRootTest {
    private static final String SPILLING =
            "SELECT count(*) FROM (SELECT i::VARCHAR x FROM range(3000000) t(i) ORDER BY x LIMIT 2900000)";

    /** Spilled from its first row to its last. */
    static final String SPILLED_ROWS =
            "SELECT x FROM (SELECT i::VARCHAR || repeat('x', 80) x FROM range(600000) t(i)) ORDER BY x";

    @TempDir
    private Path folder;

    @Test
    void open_afterAnOwnerWasKilled_reclaimsItsSpaceAndNobodyElses() throws Exception {
        try (var living = new EngineFixture(folder)) {
            var session = living.open(64 * EngineFixture.MIB);
            try (var stream = session.execute(living.plan(SPILLED_ROWS))) {
                assertThat(stream.fetch()).isPresent();
                var ours = settled(living.tempRoot);
                var theirs = spilledByAKilledProcess();
                assertThat(ours).isNotEmpty();
                assertThat(theirs)
                        .isNotEmpty()
                        .allSatisfy(file -> assertThat(file).exists());

                DuckDbEngine.open(new DuckDbSettings(living.tempRoot, 1, 64 * EngineFixture.MIB))
                        .close();

                assertThat(theirs).allSatisfy(file -> assertThat(file).doesNotExist());
                assertThat(spilled(living.tempRoot)).containsAll(ours);
                while (stream.fetch().isPresent()) {
                    assertThat(stream.isComplete()).isFalse();
                }
                assertThat(stream.rows()).isEqualTo(600_000);
            }
            session.release();
        }
        assertThat(folder.resolve("spill")).isEmptyDirectory();
    }

    /** The files that the child had spilled when it was killed, its lock among them. */
    private List<Path> spilledByAKilledProcess() throws Exception {
        var before = files(folder.resolve("spill"));
        var child = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx128m",
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        TempRootChild.class.getName(),
                        folder.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try {
            var named = new ArrayList<Path>();
            var out = new BufferedReader(new InputStreamReader(child.getInputStream(), StandardCharsets.UTF_8));
            for (var line = out.readLine(); line != null && !line.equals("end"); line = out.readLine()) {
                named.add(Path.of(line));
            }
            named.removeAll(before);
            return named;
        } finally {
            child.destroyForcibly();
            assertThat(child.waitFor(300, TimeUnit.SECONDS)).isTrue();
        }
    }

    private static List<Path> files(Path root) throws Exception {
        try (var paths = Files.walk(root)) {
            return paths.filter(Files::isRegularFile).sorted().toList();
        }
    }

    private static List<Path> spilled(Path root) throws Exception {
        return files(root).stream()
                .filter(file -> !root.equals(file.getParent()))
                .toList();
    }

    /** When the engine has spilled what it wants to before more rows are read: its other threads go on for a while. */
    private static List<Path> settled(Path root) throws Exception {
        var last = spilled(root);
        for (int same = 0; same < 20; same++) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
            var now = spilled(root);
            if (!now.equals(last)) {
                same = 0;
                last = now;
            }
        }
        return last;
    }

    @Test
    void sessions_thatSpillAtOnce_shareNoFileAndLeaveNone() throws Exception {
        try (var fixture = new EngineFixture(folder)) {
            var one = fixture.open(64 * EngineFixture.MIB);
            var two = fixture.open(64 * EngineFixture.MIB);
            var threads = List.of(spill(fixture, one), spill(fixture, two));
            while (spillFolders(fixture.tempRoot) < 2 && threads.stream().anyMatch(Thread::isAlive)) {
                Thread.onSpinWait();
            }
            for (var thread : threads) {
                thread.join();
            }
            assertThat(one.usage().orElseThrow().tempBytes()).isPositive();
            assertThat(two.usage().orElseThrow().tempBytes()).isPositive();
            one.release();
            two.release();
            assertThat(spillFolders(fixture.tempRoot)).isZero();
        }
        assertThat(folder.resolve("spill")).isEmptyDirectory();
    }

    private static Thread spill(EngineFixture fixture, EngineSession session) {
        var plan = fixture.plan(SPILLING);
        return Thread.ofPlatform().start(() -> EngineFixture.rows(session, plan));
    }

    private static long spillFolders(Path root) throws Exception {
        try (var paths = Files.walk(root, 2)) {
            return paths.filter(path -> path.getFileName().toString().startsWith("instance-"))
                    .count();
        }
    }
}
