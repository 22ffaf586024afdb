package dev.weighlock.duckdb;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weighlock.query.testkit.load.WatchedJvm;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The resident set of a process that runs queries under a budget of one GiB, watched from outside every 50 ms. It stays
 * within the heap's maximum and the budget: headroom, ledger and reserve. The series are kept below target/memory.
 */
@Timeout(1800)
class MemoryTest {
    private static final long MIB = 1L << 20;
    private static final long HEAP = 128 * MIB;
    private static final long BOUND = HEAP + MemoryWorkload.BUDGET;

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
        var watched = WatchedJvm.run(
                folder,
                List.of("-Xmx" + HEAP, "-XX:+UseSerialGC"),
                MemoryWorkload.class,
                folder.resolve("spill").toString(),
                work,
                Long.toString(amount));
        watched.keepSeries(Path.of("target", "memory", work + "-" + amount + ".csv"));
        assertThat(watched.exitCode()).as(watched.errors()).isZero();
        assertThat(watched.peakResidentBytes()).as("the resident set in bytes").isBetween(1L, BOUND);
        return watched.output().stream().map(Line::of).toList();
    }
}
