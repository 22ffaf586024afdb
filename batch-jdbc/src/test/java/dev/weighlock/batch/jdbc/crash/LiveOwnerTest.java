package dev.weighlock.batch.jdbc.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weighlock.batch.BatchError;
import dev.weighlock.batch.BatchException;
import dev.weighlock.batch.BatchStatus;
import dev.weighlock.batch.JobExecution;
import dev.weighlock.batch.jdbc.target.Database;
import dev.weighlock.batch.launch.JobDefinitions;
import dev.weighlock.batch.launch.LaunchOptions;
import dev.weighlock.batch.launch.LaunchResult;
import dev.weighlock.batch.launch.NodeRuntime;
import dev.weighlock.batch.operate.Instruction;
import dev.weighlock.batch.testkit.ChildJvm;
import dev.weighlock.batch.testkit.EmbeddedDatabase;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** An owner that lives is left alone by every other node, whatever their clocks say. */
class LiveOwnerTest {
    /** Nothing waits for it: an hour of skew would end any lease at once. */
    private static final Duration LEASE = Duration.ofSeconds(30);

    private static final int LOOKS = 50;

    @TempDir
    Path folder;

    /** The owner's clock is an hour off and in another zone; the lock cannot help, for it is another host's. */
    @ParameterizedTest
    @CsvSource({"PT1H, Asia/Tokyo", "PT-1H, America/Los_Angeles"})
    void nodes_whoseClocksAreAnHourApart_takeNothingThatLives(String ahead, String zone) throws Exception {
        var place = CrashPlace.Postgres.create(folder.resolve("here"));
        var items = ItemTable.create(EmbeddedDatabase.url(EmbeddedDatabase.createDatabase()));
        var owners = place.withLocks(folder.resolve("there")).withLease(Duration.ofMillis(500), LEASE);
        var at = folder.resolve("owner");
        var arguments = List.of(owners.word(), "clocks", items.url(), at.toString(), ahead);
        try (var owner = ChildJvm.startUntil(
                        "chunk.committed", 3, List.of("-Duser.timezone=" + zone), PausedOwner.class, at, arguments);
                var target = Database.open(NumbersJob.settings(items.url()))) {
            assertThat(owner.awaitReached()).as(owner.output()).isTrue();
            var job = NumbersJob.into(target, "clocks", 0);
            try (var repository = place.open(Clock.systemUTC());
                    var node = NodeRuntime.on(repository)
                            .definitions(JobDefinitions.of(job))
                            .start()) {
                var running = repository
                        .executions(Optional.empty(), Optional.empty(), 1)
                        .items()
                        .getFirst();
                for (int look = 0; look < LOOKS; look++) {
                    assertThat(node.recoverDead()).isEmpty();
                    assertThat(repository.isOwnerAlive(running)).isTrue();
                    LockSupport.parkNanos(20_000_000);
                }
                assertRefusedByName(node, running);
                assertThat(repository.execution(running.id())).contains(running);
            }
            assertThat(skewSeconds(place)).isCloseTo(Duration.parse(ahead).toSeconds(), within(60));

            owner.letContinue();
            assertThat(owner.awaitExit()).as(owner.output()).isZero();
            assertThat(owner.output()).contains("clocks ENDED COMPLETED");
        }
        items.assertWhole(1);
    }

    private static org.assertj.core.data.Offset<Long> within(long seconds) {
        return org.assertj.core.api.Assertions.within(seconds);
    }

    private static void assertRefusedByName(NodeRuntime node, JobExecution running) {
        var name = running.ownerNode();
        assertThat(node.launcher().restart(running.id(), LaunchOptions.DEFAULT))
                .isInstanceOfSatisfying(
                        LaunchResult.AlreadyRunning.class,
                        refusal -> assertThat(refusal.winner().ownerNode()).isEqualTo(name));
        assertRefused(name, () -> node.operator().proposeRecovery(running.id()));
        assertRefused(
                name,
                () -> node.operator()
                        .recover(running.id(), "digest", BatchStatus.FAILED, new Instruction("me", "no reason")));
        assertRefused(name, () -> node.operator().abandon(running.id(), new Instruction("me", "no reason")));
    }

    private static void assertRefused(String name, ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOfSatisfying(BatchException.class, refusal -> {
            assertThat(refusal.error()).isEqualTo(BatchError.ALREADY_RUNNING);
            assertThat(refusal).hasMessageContaining(name).hasMessageContaining("pid");
        });
    }

    private static long skewSeconds(CrashPlace.Postgres place) throws Exception {
        return new ItemTable(place.url())
                .number("SELECT extract(epoch FROM clock_skew)::bigint FROM weighlock.node ORDER BY abs(extract(epoch "
                        + "FROM clock_skew)) DESC LIMIT 1");
    }

    /**
     * A paused owner on the same host holds its lock: as long as its lease runs nobody takes it for dead, or its work, by
     * whatever way. Without its lock it is dead at once, lease or not.
     */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void owner_pausedForLessThanItsLease_goesOnUnlessItsLockIsFree(boolean killed) throws Exception {
        var place = CrashPlace.Postgres.create(folder.resolve("locks"));
        var items = ItemTable.create(EmbeddedDatabase.url(EmbeddedDatabase.createDatabase()));
        var at = folder.resolve("owner");
        var arguments = List.of(place.word(), "short", items.url(), at.toString(), "PT0S");
        try (var owner = ChildJvm.startUntil("chunk.guarded", 3, PausedOwner.class, at, arguments);
                var target = Database.open(NumbersJob.settings(items.url()))) {
            assertThat(owner.awaitReached()).as(owner.output()).isTrue();
            owner.pause();
            var job = NumbersJob.into(target, "short", 0);
            try (var repository = place.open();
                    var node = NodeRuntime.on(repository)
                            .definitions(JobDefinitions.of(job))
                            .start()) {
                var running = repository
                        .executions(Optional.empty(), Optional.empty(), 1)
                        .items()
                        .getFirst();
                assertThat(node.recoverDead()).isEmpty();
                assertThat(repository.isOwnerAlive(running)).isTrue();
                assertRefusedByName(node, running);
                assertThat(repository.execution(running.id())).contains(running);
                if (killed) {
                    owner.kill();
                    assertThat(repository.isOwnerAlive(running)).isFalse();
                    node.recoverDead();
                    assertThat(repository.execution(running.id()).orElseThrow().status())
                            .isEqualTo(BatchStatus.FAILED);
                    return;
                }
            }
            owner.resume();
            owner.letContinue();

            assertThat(owner.awaitExit()).as(owner.output()).isZero();
            assertThat(owner.output()).contains("short ENDED COMPLETED");
        }
        items.assertWhole(1);
    }
}
