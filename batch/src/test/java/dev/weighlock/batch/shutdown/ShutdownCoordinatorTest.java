package dev.weighlock.batch.shutdown;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weighlock.batch.BatchError;
import dev.weighlock.batch.BatchException;
import dev.weighlock.batch.shutdown.ShutdownHooks.Kind;
import dev.weighlock.batch.shutdown.ShutdownHooks.Outcome;
import dev.weighlock.batch.shutdown.ShutdownHooks.Status;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
class ShutdownCoordinatorTest {
    private static final ShutdownSettings SHORT = ShutdownSettings.DEFAULT.withDeadline(Duration.ofSeconds(1));
    private static final ShutdownSettings LONG = ShutdownSettings.DEFAULT.withDeadline(Duration.ofHours(1));

    private final List<String> seen = new CopyOnWriteArrayList<>();
    private final CountDownLatch go = new CountDownLatch(1);
    private final OwnedTasks tasks = new OwnedTasks("test", () -> seen.add("cancel"));

    @AfterEach
    void letGo() {
        go.countDown();
    }

    private ShutdownHooks telling() {
        return new ShutdownHooks(
                held -> seen.add("persist"),
                () -> {
                    seen.add("flush");
                    return 3;
                },
                () -> seen.add("heartbeat"),
                () -> seen.add("repository"));
    }

    private ShutdownCoordinator coordinator(ShutdownSettings settings, ShutdownHooks hooks) {
        return new ShutdownCoordinator(settings, tasks, hooks);
    }

    private void hold(TaskPhase phase) {
        tasks.spawn(phase, task -> await(go));
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static CompletableFuture<Drained> draining(ShutdownCoordinator coordinator) {
        return CompletableFuture.supplyAsync(coordinator::drain);
    }

    /** Owned by {@code name}; told when a close with time begins, and holding {@code what} until {@link #go}. */
    private OwnedResource holding(CountDownLatch closing, String... what) {
        return new OwnedResource() {
            @Override
            public String name() {
                return "engine";
            }

            @Override
            public List<String> close(Duration atMost) throws InterruptedException {
                seen.add(atMost.isZero() ? "resource asked" : "resource");
                closing.countDown();
                return go.await(atMost.toNanos(), TimeUnit.NANOSECONDS) ? List.of() : List.of(what);
            }
        };
    }

    @Test
    void shutdown_withoutARequest_makesTheFirstAndKeepsTheOrder() {
        go.countDown();
        var coordinator = coordinator(LONG, telling());
        coordinator.own(holding(new CountDownLatch(1)));
        tasks.spawn(TaskPhase.TASKLET, task -> {
            await(go);
            seen.add("task");
        });

        var result = coordinator.shutdown();

        assertThat(seen)
                .containsExactlyInAnyOrder("task", "cancel", "resource", "persist", "flush", "heartbeat", "repository");
        assertThat(seen.indexOf("task")).isLessThan(seen.indexOf("resource"));
        assertThat(seen.subList(2, 7)).containsExactly("resource", "persist", "flush", "heartbeat", "repository");
        assertThat(result.drained().isComplete()).isTrue();
        assertThat(result.hooks()).extracting(Outcome::kind).containsExactly(Kind.values());
        assertThat(result.hooks()).extracting(Outcome::status).containsOnly(Status.COMPLETED);
        assertThat(result.droppedTelemetry()).isEqualTo(OptionalLong.of(3));
        assertThat(coordinator.shutdown()).isSameAs(result);
        assertThat(coordinator.drain()).isSameAs(result.drained());
        assertThat(coordinator.requestShutdown()).isEqualTo(ShutdownRequest.ESCALATED);
    }

    @Test
    void shutdown_afterTheApplicationsOwnRequest_isNoEscalation() {
        var coordinator = coordinator(SHORT, ShutdownHooks.NONE);
        hold(TaskPhase.CHUNK_WRITE);
        assertThat(coordinator.requestShutdown()).isEqualTo(ShutdownRequest.INITIATED);

        assertThat(coordinator.drain().tasks())
                .isEqualTo(new DrainResult.Incomplete(1, Map.of(TaskPhase.CHUNK_WRITE, 1), 0, false));
    }

    @Test
    void intake_afterTheRequest_isRefused() {
        var coordinator = coordinator(LONG, ShutdownHooks.NONE);
        coordinator.ensureAccepting();
        coordinator.requestShutdown();

        refused(coordinator::ensureAccepting);
        refused(() -> coordinator.spawn(TaskPhase.TASKLET, task -> seen.add("never")));
        refused(() -> coordinator.own(holding(new CountDownLatch(1))));
        assertThat(coordinator.shutdown().drained().isComplete()).isTrue();
        assertThat(seen).containsExactly("cancel");
    }

    private static void refused(org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        BatchException.class, e -> assertThat(e.error()).isEqualTo(BatchError.SHUTTING_DOWN));
    }

    @Test
    void escalation_duringTheJoin_endsItAndCallsEveryHook() throws Exception {
        var coordinator = coordinator(LONG, telling());
        hold(TaskPhase.TASKLET);
        hold(TaskPhase.TRANSACTION);
        coordinator.requestShutdown();
        var shutdown = CompletableFuture.supplyAsync(coordinator::shutdown);

        assertThat(coordinator.requestShutdown()).isEqualTo(ShutdownRequest.ESCALATED);

        assertThat(shutdown.get().drained().tasks())
                .isEqualTo(
                        new DrainResult.Incomplete(2, Map.of(TaskPhase.TASKLET, 1, TaskPhase.TRANSACTION, 1), 0, true));
        assertThat(seen).containsExactly("cancel", "persist", "flush", "heartbeat", "repository");
        assertThat(coordinator.requestShutdown()).isEqualTo(ShutdownRequest.ALREADY_ESCALATED);
    }

    @Test
    void escalation_whileAResourceCloses_asksItOnceMoreAndNamesWhatItHolds() throws Exception {
        var coordinator = coordinator(LONG, telling());
        var closing = new CountDownLatch(1);
        coordinator.own(holding(closing, "query 7", "query 8"));
        var drain = draining(coordinator);
        closing.await();

        coordinator.requestShutdown();

        var drained = drain.get();
        assertThat(drained.tasks()).isEqualTo(new DrainResult.Complete(0));
        assertThat(drained.isComplete()).isFalse();
        assertThat(drained.held())
                .extracting(OwnedResource.Held::toString)
                .containsExactly("engine still holds query 7", "engine still holds query 8");
        assertThat(seen).containsExactly("cancel", "resource", "resource asked", "persist");
    }

    @Test
    void escalation_duringThePersist_isAwaitedAndChangesNothing() throws Exception {
        var inside = new CountDownLatch(1);
        var coordinator = coordinator(LONG, telling().withPersist(held -> {
            inside.countDown();
            await(go);
            seen.add("persist");
        }));
        var drain = draining(coordinator);
        var reported = drain.thenRun(() -> seen.add("reported"));
        inside.await();
        assertThat(coordinator.requestShutdown()).isEqualTo(ShutdownRequest.ESCALATED);
        // As long as the record is being stored: a drain that an escalation ended would be over by then.
        assertThatThrownBy(() -> reported.get(300, TimeUnit.MILLISECONDS)).isInstanceOf(TimeoutException.class);

        go.countDown();

        reported.get();
        assertThat(seen).containsExactly("cancel", "persist", "reported");
        assertThat(drain.get().tasks()).isEqualTo(new DrainResult.Complete(0));
        assertThat(drain.get().persist().status()).isEqualTo(Status.COMPLETED);
    }

    @Test
    void deadlinePassed_namesTasksByPhaseAndResourcesByName() {
        var coordinator = coordinator(SHORT, ShutdownHooks.NONE);
        hold(TaskPhase.RETRY_BACKOFF);
        coordinator.own(holding(new CountDownLatch(1), "query 7"));

        var drained = coordinator.drain();

        assertThat(drained.tasks())
                .isEqualTo(new DrainResult.Incomplete(1, Map.of(TaskPhase.RETRY_BACKOFF, 1), 0, false));
        assertThat(drained.held()).containsExactly(new OwnedResource.Held("engine", "query 7"));
    }

    @Test
    void resource_closesInWhatTheJoinLeft() {
        var coordinator = coordinator(LONG.withTaskJoin(Duration.ofSeconds(1)), ShutdownHooks.NONE);
        hold(TaskPhase.TASKLET);
        coordinator.own(new OwnedResource() {
            @Override
            public String name() {
                return "patient";
            }

            @Override
            public List<String> close(Duration atMost) {
                return atMost.compareTo(Duration.ofMinutes(50)) > 0 ? List.of() : List.of("too little time");
            }
        });

        assertThat(coordinator.drain().held()).isEmpty();
    }

    @Test
    void resource_thatFails_isNamed() {
        var coordinator = coordinator(LONG, telling());
        coordinator.own(resource("broken", () -> {
            throw new IllegalStateException("on purpose");
        }));

        var drained = coordinator.drain();

        assertThat(drained.held()).singleElement().satisfies(held -> {
            assertThat(held.resource()).isEqualTo("broken");
            assertThat(held.what()).contains("on purpose");
        });
        assertThat(seen).containsExactly("cancel", "persist");
    }

    @Test
    void resource_thatNeverAnswers_isNamedAndLeftAlone() {
        var deaf = new ResourceClose(
                resource("deaf", () -> {
                    await(go);
                    return List.of();
                }),
                Duration.ofMillis(50));
        try (var patience = new ShutdownCoordinator.Patience(new CompletableFuture<>())) {
            var held = deaf.closeBy(
                    patience, System.nanoTime() + Duration.ofMillis(50).toNanos());

            assertThat(held)
                    .singleElement()
                    .satisfies(one -> assertThat(one.toString())
                            .isEqualTo("deaf still holds what it does not tell: it answers to no close"));
        }
    }

    private static OwnedResource resource(String name, java.util.concurrent.Callable<List<String>> close) {
        return new OwnedResource() {
            @Override
            public String name() {
                return name;
            }

            @Override
            public List<String> close(Duration atMost) throws Exception {
                return close.call();
            }
        };
    }

    @Test
    void persist_late_isAwaitedThenMarked() {
        var coordinator = coordinator(SHORT, telling().withPersist(held -> {
            new CountDownLatch(1).await(1_100, TimeUnit.MILLISECONDS);
            seen.add("persist");
        }));

        var result = coordinator.shutdown();

        assertThat(seen).containsExactly("cancel", "persist", "flush", "heartbeat", "repository");
        assertThat(result.drained().persist().status()).isEqualTo(Status.DEADLINE_EXCEEDED);
        assertThat(result.drained().tasks()).isEqualTo(new DrainResult.Complete(0));
    }

    @Test
    void hooks_thatFail_areToldAndStopNothing() {
        ShutdownHooks.Action broken = () -> {
            throw new IllegalStateException("a hook breaks on purpose");
        };
        var coordinator = coordinator(
                LONG,
                new ShutdownHooks(
                        held -> broken.run(),
                        () -> {
                            throw new AssertionError("also an error");
                        },
                        broken,
                        () -> seen.add("repository")));

        var result = coordinator.shutdown();

        assertThat(result.hooks())
                .extracting(Outcome::status)
                .containsExactly(Status.FAILED, Status.FAILED, Status.FAILED, Status.COMPLETED);
        assertThat(result.hooks().getFirst().problem()).contains("a hook breaks on purpose");
        assertThat(result.droppedTelemetry()).isEmpty();
        assertThat(result.drained().tasks()).isEqualTo(new DrainResult.Complete(0));
        assertThat(seen).containsExactly("cancel", "repository");
    }

    @Test
    void flush_thatHangs_isLeftAloneAndNobodyKnowsTheDrops() {
        var coordinator = coordinator(
                LONG.withTelemetryFlush(Duration.ofMillis(100)), telling().withFlush(() -> {
                    await(go);
                    return 0;
                }));

        var result = coordinator.shutdown();

        assertThat(result.hooks().get(1).status()).isEqualTo(Status.DEADLINE_EXCEEDED);
        assertThat(result.droppedTelemetry()).isEmpty();
        assertThat(seen).containsExactly("cancel", "persist", "heartbeat", "repository");
    }

    @Test
    void repository_thatDoesNotClose_isToldAfterItsTimeout() {
        var coordinator = coordinator(
                LONG.withPoolClose(Duration.ofMillis(1)),
                telling().withCloseRepository(() -> new CountDownLatch(1).await()));

        var result = coordinator.shutdown();

        assertThat(result.hooks().getLast())
                .isEqualTo(
                        new Outcome(Kind.CLOSE_REPOSITORY, Status.DEADLINE_EXCEEDED, "it did not end within PT0.001S"));
    }

    @Test
    void interrupt_endsTheJoiningAndIsRestored() throws Exception {
        var coordinator = coordinator(LONG, telling());
        hold(TaskPhase.TASKLET);
        var restored = new CompletableFuture<Boolean>();
        var thread = Thread.ofPlatform().start(() -> {
            Thread.currentThread().interrupt();
            coordinator.shutdown();
            restored.complete(Thread.currentThread().isInterrupted());
        });
        thread.join();

        assertThat(restored.get()).isTrue();
        assertThat(coordinator.drain().tasks())
                .isEqualTo(new DrainResult.Incomplete(1, Map.of(TaskPhase.TASKLET, 1), 0, false));
        assertThat(seen).containsExactly("cancel", "persist", "flush", "heartbeat", "repository");
    }
}
