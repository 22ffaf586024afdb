package dev.weighlock.duckdb;

import static dev.weighlock.duckdb.EngineFixture.MIB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.weighlock.query.ErrorCode;
import dev.weighlock.query.QueryException;
import dev.weighlock.query.Reason;
import dev.weighlock.query.backend.BackendSettings;
import dev.weighlock.query.backend.QueryBackend;
import dev.weighlock.query.backend.QueryHandle;
import dev.weighlock.query.backend.QueryRequest;
import dev.weighlock.query.device.DeviceKind;
import dev.weighlock.query.device.DeviceProfile;
import dev.weighlock.query.report.CapacityDisposition;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A query that finds no more disk to spill to fails alone, with the code of what it met, and leaves nothing behind. */
@Timeout(300)
class FullTempTest {
    private static final String SPILLS =
            "SELECT x FROM (SELECT i::VARCHAR || repeat('x', 40) x FROM range(1200000) t(i)) ORDER BY x";
    private static final DeviceProfile DEVICE = DeviceProfile.device(0, DeviceKind.HOST)
            .limit(256 * MIB, "test")
            .headroom(0)
            .reserve(0)
            .maxActive(2)
            .resolve();

    @TempDir
    private Path folder;

    @Test
    void tempLimit_reached_failsTheQuery_andTheProcessGoesOn() throws Exception {
        var error = assertFailsAlone(folder.resolve("spill"), 8 * MIB);

        assertThat(error.code()).as(error.getMessage()).isEqualTo(ErrorCode.QUERY_TEMP_LIMIT_EXCEEDED);
        assertThat(error.facts().has(Reason.TEMP_SPACE)).isTrue();
    }

    /** Needs the right to mount; the test above covers the same path to the end where nobody may. */
    @Test
    void disk_thatIsFull_failsTheQuery_andTheProcessGoesOn() throws Exception {
        var disk = Files.createDirectories(folder.resolve("disk"));
        var mounted = run("mount", "-t", "tmpfs", "-o", "size=8m", "tmpfs", disk.toString());
        assumeTrue(mounted.isEmpty(), () -> "SKIPPED, no disk of 8 MiB can be mounted here: " + mounted);
        try {
            var error = assertFailsAlone(disk.resolve("spill"), 512 * MIB);

            assertThat(error.code()).as(error.getMessage()).isEqualTo(ErrorCode.DISK_FULL);
            assertThat(error.text()).contains("no space is left on the disk of " + disk.toRealPath());
            assertThat(disk.toFile().getUsableSpace()).isGreaterThan(7 * MIB);
        } finally {
            assertThat(run("umount", disk.toString())).isEmpty();
        }
    }

    /** The failure; meanwhile and afterwards other queries run, and nothing of it is left. */
    private static QueryException assertFailsAlone(Path tempRoot, long tempLimitBytes) throws Exception {
        try (var engine = DuckDbEngine.open(new DuckDbSettings(tempRoot, 2, 64 * MIB));
                var backend = QueryBackend.open(BackendSettings.of(DEVICE).withTempLimit(tempLimitBytes), engine)) {
            var failing = backend.submit(QueryRequest.select(SPILLS, Map.of()).cap(64 * MIB));
            assertThat(count(backend)).isEqualTo(1_000);
            var error = Objects.requireNonNull(failing.await().error(), "the query found room to spill");
            assertThat(failing.await().report().capacity().disposition()).isEqualTo(CapacityDisposition.RELEASED);
            awaitNoGrants(backend);
            assertThat(files(tempRoot)).isZero();
            assertThat(count(backend)).isEqualTo(1_000);
            return error;
        }
    }

    private static long count(QueryBackend backend) throws InterruptedException {
        QueryHandle handle = backend.submit(QueryRequest.select("SELECT count(*) FROM range(1000)", Map.of()));
        var rows = handle.rows().toList();
        handle.await();
        return (Long) Objects.requireNonNull(rows.getFirst().value(0));
    }

    /** A grant returns right after its report is out. */
    private static void awaitNoGrants(QueryBackend backend) {
        while (!backend.device().grants().isEmpty()) {
            Thread.onSpinWait();
        }
    }

    private static long files(Path tempRoot) throws IOException {
        try (var all = Files.walk(tempRoot)) {
            return all.filter(file -> file.getFileName().toString().startsWith("duckdb_temp"))
                    .count();
        }
    }

    /** What a program says where it fails; empty where it succeeds. */
    private static String run(String... command) throws Exception {
        try {
            var process = new ProcessBuilder(command).redirectErrorStream(true).start();
            var said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (!process.waitFor(20, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                return command[0] + " does not end";
            }
            return process.exitValue() == 0 ? "" : said.isBlank() ? command[0] + " failed" : said.strip();
        } catch (IOException absent) {
            return absent.toString();
        }
    }
}
