package dev.weighlock.duckdb;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The resident set of a process that runs queries under a budget of one GiB, watched from outside every 50 ms. It stays
 * within the heap's maximum and the budget: headroom, ledger and reserve. The series are kept below target/memory.
 */
@Timeout(600)
class MemoryTest {
    private static final long MIB = 1L << 20;
    private static final long HEAP = 128 * MIB;
    private static final long BOUND = HEAP + MemoryWorkload.BUDGET;
    private static final long EVERY_MILLIS = 50;

    @TempDir
    private Path folder;

    /** One line of the workload. */
    private record Line(String outcome, long grantBytes, long peakBytes, long rows, String error) {
        static Line of(String text) {
            var words = text.split(" ", 5);
            return new Line(
                    words[0],
                    Long.parseLong(words[1]),
                    words[2].equals("null") ? 0 : Long.parseLong(words[2]),
                    Long.parseLong(words[3]),
                    words[4]);
        }
    }

    @Test
    void sixteenHeavyQueries_fitInTheirGrantsAndTheProcessInItsBudget() throws Exception {
        assertHeavyFit(16);
    }

    @Test
    @Tag("long")
    void sixtyFourHeavyQueries_fitInTheirGrantsAndTheProcessInItsBudget() throws Exception {
        assertHeavyFit(64);
    }

    private void assertHeavyFit(int queries) throws Exception {
        assertThat(run("heavy", queries)).hasSize(queries).allSatisfy(line -> {
            assertThat(line.outcome()).as(line.error()).isEqualTo("SUCCEEDED");
            assertThat(line.peakBytes()).isBetween(1L, line.grantBytes());
        });
    }

    @Test
    void thirtyMillionRows_withASlowReader_stayBounded() throws Exception {
        var line = run("slow", 2_000_000).getFirst();
        assertThat(line.outcome()).isEqualTo("CANCELLED");
        assertThat(line.rows()).isGreaterThanOrEqualTo(2_000_000);
        assertThat(line.peakBytes()).isLessThanOrEqualTo(line.grantBytes());
    }

    @Test
    @Tag("long")
    void thirtyMillionRows_readToTheEnd_stayBounded() throws Exception {
        var line = run("slow", Long.MAX_VALUE).getFirst();
        assertThat(line.outcome()).as(line.error()).isEqualTo("SUCCEEDED");
        assertThat(line.rows()).isEqualTo(30_000_000);
        assertThat(line.peakBytes()).isLessThanOrEqualTo(line.grantBytes());
    }

    @Test
    void wideRows_stayBounded() throws Exception {
        var line = run("wide", 16_000).getFirst();
        assertThat(line.outcome()).as(line.error()).isEqualTo("SUCCEEDED");
        assertThat(line.rows()).isEqualTo(16_000);
        assertThat(line.peakBytes()).isLessThanOrEqualTo(line.grantBytes());
    }

    /** Runs the workload to its end; the process never goes over the bound. */
    private List<Line> run(String work, long amount) throws Exception {
        var output = folder.resolve("output");
        var process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx" + HEAP,
                        "-XX:+UseSerialGC",
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        MemoryWorkload.class.getName(),
                        folder.resolve("spill").toString(),
                        work,
                        Long.toString(amount))
                .redirectError(folder.resolve("errors").toFile())
                .redirectOutput(output.toFile())
                .start();
        try {
            var series = sample(process);
            keep(work + "-" + amount, series);
            assertThat(process.exitValue())
                    .as(Files.readString(folder.resolve("errors")))
                    .isZero();
            assertThat(series.stream().mapToLong(Long::longValue).max().orElseThrow())
                    .as("the resident set in bytes")
                    .isBetween(1L, BOUND);
            return Files.readAllLines(output).stream().map(Line::of).toList();
        } finally {
            process.destroyForcibly();
        }
    }

    private static List<Long> sample(Process process) throws Exception {
        var series = new ArrayList<Long>();
        var status = Path.of("/proc", Long.toString(process.pid()), "status");
        while (!process.waitFor(EVERY_MILLIS, TimeUnit.MILLISECONDS)) {
            residentBytes(status, series);
        }
        return series;
    }

    private static void residentBytes(Path status, List<Long> series) {
        try {
            for (var line : Files.readAllLines(status)) {
                if (line.startsWith("VmRSS:")) {
                    series.add(Long.parseLong(line.replaceAll("\\D", "")) << 10);
                }
            }
        } catch (IOException gone) {
            // The process ended between two looks.
            assertThat(series).isNotEmpty();
        }
    }

    private static void keep(String name, List<Long> series) throws IOException {
        var text = new StringBuilder("millis,resident_bytes\n");
        for (var i = 0; i < series.size(); i++) {
            text.append((i + 1) * EVERY_MILLIS)
                    .append(',')
                    .append(series.get(i))
                    .append('\n');
        }
        var kept = Files.createDirectories(Path.of("target", "memory"));
        Files.writeString(kept.resolve(name + ".csv"), text);
    }
}
