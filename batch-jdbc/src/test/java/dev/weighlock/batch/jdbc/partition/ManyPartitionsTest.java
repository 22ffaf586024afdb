package dev.weighlock.batch.jdbc.partition;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weighlock.batch.testkit.ChildJvm;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Thousands of partitions in 128 MiB of heap: few statements each, all accounted for over a stop and failures. */
class ManyPartitionsTest {
    private static final Pattern LINE =
            Pattern.compile("(?m)^(\\w+) (\\w+) ran=(\\d+) statements=(\\d+) stopping=(\\d+) used=(\\d+) \\{(.*)}$");
    /** Statements of launch, plan, totals and end, whatever the number of partitions. */
    private static final int AROUND = 250;

    @TempDir
    Path folder;

    private record Attempt(String name, String status, long ran, long statements, long stopping, long used) {
        static Attempt of(MatchResult line) {
            return new Attempt(
                    line.group(1),
                    line.group(2),
                    Long.parseLong(line.group(3)),
                    Long.parseLong(line.group(4)),
                    Long.parseLong(line.group(5)),
                    Long.parseLong(line.group(6)));
        }
    }

    @Test
    void partitions_twoThousand_stopFailAndCompleteInASmallHeap() {
        check(2_000);
    }

    @Test
    @Tag("long")
    void partitions_aHundredThousand_stopFailAndCompleteInASmallHeap() {
        check(100_000);
    }

    private void check(int partitions) {
        String output;
        try (var child = ChildJvm.start(
                ManyPartitions.class,
                folder.resolve("child"),
                List.of("-Xmx128m"),
                List.of(folder.resolve("repository.db").toString(), Integer.toString(partitions), "16"))) {
            int exit = child.awaitExit(Duration.ofMinutes(20));
            assertThat(exit).as(child.output()).isZero();
            output = child.output();
        }
        List<Attempt> attempts = LINE.matcher(output).results().map(Attempt::of).toList();
        assertThat(attempts).as(output).hasSize(3);
        Attempt stopped = attempts.get(0);
        Attempt failed = attempts.get(1);
        Attempt completed = attempts.get(2);
        assertThat(attempts).extracting(Attempt::status).as(output).containsExactly("STOPPED", "FAILED", "COMPLETED");
        assertThat(output).contains("{COMPLETED=" + partitions + "}");
        assertThat(stopped.ran()).as(output).isBetween(partitions / 2L, partitions - 3L);
        assertThat(failed.ran()).as(output).isEqualTo(partitions - stopped.ran());
        assertThat(completed.ran()).as(output).isEqualTo(3);
        assertThat(stopped.stopping()).as(output).isEqualTo(1);
        // A partition is one transaction: begin, its end, commit; and a share of a claim.
        assertThat(stopped.statements()).as(output).isBetween(3 * stopped.ran(), 4 * stopped.ran() + AROUND);
        assertThat(failed.statements()).as(output).isBetween(3 * failed.ran(), 4 * failed.ran() + AROUND);
        assertThat(completed.statements()).as(output).isLessThanOrEqualTo(AROUND);
        assertThat(completed.used()).as(output).isLessThanOrEqualTo(stopped.used() + 8);
    }
}
