package dev.weighlock.query.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.weighlock.host.ClaimFolder;
import dev.weighlock.query.ErrorCode;
import dev.weighlock.query.FactKey;
import dev.weighlock.query.QueryException;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(300)
class HostBudgetTest {
    private static final long MIB = 1L << 20;
    static final long HEAP = 100 * MIB;
    private static final long TOTAL = 1_400 * MIB;

    @TempDir
    private Path folder;

    private final List<Process> children = new ArrayList<>();

    @AfterEach
    void end() throws Exception {
        for (var child : children) {
            kill(child);
        }
    }

    @Test
    void processes_neverClaimMoreThanTheTotal_andTheLastIsRefusedWithTheHoldersNames() throws Exception {
        try (var own = budget(Long.MAX_VALUE).claimShare(0)) {
            var second = child("second");
            long secondBytes = Long.parseLong(answer(second));
            var third = child("third");

            assertThat(own.limitBytes()).isEqualTo((TOTAL - HEAP) / 2);
            assertThat(secondBytes).isEqualTo((TOTAL - own.claimedBytes() - HEAP) / 2 + HEAP);
            assertThat(own.claimedBytes() + secondBytes).isLessThanOrEqualTo(TOTAL);
            assertThat(answer(third))
                    .startsWith("SERVICE_OVERLOADED")
                    .contains("process " + ProcessHandle.current().pid() + " (test, 750 MiB since ")
                    .contains("process " + second.pid() + " (second, 375 MiB since ")
                    .contains("this one needs 256 MiB for queries and 100 MiB for its heap");
        }
    }

    @Test
    void shareOfAKilledProcess_isFreeAtOnce() throws Exception {
        var first = child("first");
        long firstBytes = Long.parseLong(answer(first));
        var budget = budget(Long.MAX_VALUE);
        assertThat(budget.state().unclaimedBytes()).isEqualTo(TOTAL - firstBytes);

        kill(first);

        assertThat(budget.state().holders()).isEmpty();
        try (var whole = budget.claim(TOTAL - HEAP)) {
            assertThat(whole.claimedBytes()).isEqualTo(TOTAL);
            assertThat(budget.state().unclaimedBytes()).isZero();
        }
    }

    @Test
    void processesAtOnce_shareWithoutOverlap() throws Exception {
        for (int child = 0; child < 3; child++) {
            var _ = child("child " + child);
        }
        List<String> answers = new ArrayList<>();
        for (var child : children) {
            answers.add(answer(child));
        }

        var state = budget(Long.MAX_VALUE).state();
        assertThat(state.claimedBytes()).isLessThanOrEqualTo(TOTAL);
        assertThat(state.holders()).hasSize(2);
        assertThat(answers)
                .filteredOn(answer -> answer.startsWith("SERVICE_OVERLOADED"))
                .hasSize(1);
    }

    @Test
    void closedShare_isFree_andMayBeClosedAgain() {
        var budget = budget(Long.MAX_VALUE);
        var share = budget.claim(TOTAL - HEAP);
        share.close();
        try (var next = budget.claim(TOTAL - HEAP)) {
            share.close();
            assertThat(budget.state().claimedBytes()).isEqualTo(next.claimedBytes());
        }
    }

    @Test
    void configuredLimitAboveTheTotal_isRefusedForGoodWithTheArithmetic() {
        assertThatExceptionOfType(QueryException.class)
                .isThrownBy(() -> budget(Long.MAX_VALUE).claim(TOTAL - HEAP + 1))
                .withMessageContaining("1400 MiB (test) - JVM maximum (-Xmx) 100 MiB = 1300 MiB")
                .satisfies(refusal -> {
                    assertThat(refusal.code()).isEqualTo(ErrorCode.QUERY_BUDGET_UNAVAILABLE);
                    assertThat(refusal.facts().value(FactKey.LARGEST_FIT_BYTES)).hasValue(Long.toString(TOTAL - HEAP));
                });
    }

    @Test
    void share_isNoMoreThanTheMachineHasFree_andNoLessThanItsLeast() {
        try (var share = budget(HEAP + 300 * MIB).claimShare(0)) {
            assertThat(share.limitBytes()).isEqualTo(300 * MIB);
        }
        assertThatExceptionOfType(QueryException.class)
                .isThrownBy(() -> budget(HEAP + 300 * MIB).claimShare(301 * MIB))
                .withMessageContaining("the machine has 400 MiB free now")
                .matches(refusal -> refusal.code() == ErrorCode.SERVICE_OVERLOADED);
        assertThat(budget(0).state().holders()).isEmpty();
    }

    @Test
    void share_becomesTheLimitOfAProfile() {
        var builder = DeviceProfile.device(0, DeviceKind.HOST);
        try (var share = budget(Long.MAX_VALUE).claimShare(builder.leastLimitBytes())) {
            var profile = builder.limit(share).resolve();

            assertThat(profile.limitBytes()).isEqualTo(650 * MIB);
            assertThat(profile.limitSource())
                    .isEqualTo("a share of " + (TOTAL >> 20) + " MiB (test); " + (HEAP >> 20)
                            + " MiB for the JVM's heap (-Xmx) besides");
        }
    }

    private HostBudget budget(long freeBytes) {
        return new HostBudget(
                new HostMemory(TOTAL, "test", "machine", freeBytes, HEAP), ClaimFolder.at(folder), "test");
    }

    private Process child(String name) throws Exception {
        var child = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        HostBudgetChild.class.getName(),
                        folder.toString(),
                        Long.toString(TOTAL),
                        name)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        children.add(child);
        return child;
    }

    private static String answer(Process child) throws Exception {
        var out = new BufferedReader(new InputStreamReader(child.getInputStream(), StandardCharsets.UTF_8));
        return out.readLine();
    }

    private static void kill(Process child) throws Exception {
        child.destroyForcibly();
        assertThat(child.waitFor(300, TimeUnit.SECONDS)).isTrue();
    }
}
