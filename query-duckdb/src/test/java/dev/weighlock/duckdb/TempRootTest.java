package dev.weighlock.duckdb;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weighlock.query.engine.EngineSession;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class TempRootTest {
    private static final String SPILLING =
            "SELECT count(*) FROM (SELECT i::VARCHAR x FROM range(3000000) t(i) ORDER BY x LIMIT 2900000)";

    @TempDir
    private Path folder;

    private static List<Path> files(Path root) throws Exception {
        try (var paths = Files.walk(root)) {
            return paths.filter(Files::isRegularFile).toList();
        }
    }

    @Test
    void open_afterAnOwnerWasKilled_reclaimsItsFilesAndNobodyElses() throws Exception {
        var root = Files.createDirectory(folder.resolve("spill"));
        try (var living = TempRoot.open(root)) {
            var session = living.createFolder();
            var kept = Files.writeString(session.resolve("file"), "kept");
            var child = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-cp",
                            System.getProperty("java.class.path"),
                            TempRootChild.class.getName(),
                            root.toString())
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            var out = new BufferedReader(new InputStreamReader(child.getInputStream(), StandardCharsets.UTF_8));
            var left = Path.of(out.readLine());
            assertThat(left).exists();
            child.destroyForcibly();
            assertThat(child.waitFor(60, TimeUnit.SECONDS)).isTrue();
            TempRoot.open(root).close();
            assertThat(left).doesNotExist();
            assertThat(kept).exists();
            assertThat(files(root)).hasSize(2);
            TempRoot.deleteTree(session);
        }
        assertThat(root).isEmptyDirectory();
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
