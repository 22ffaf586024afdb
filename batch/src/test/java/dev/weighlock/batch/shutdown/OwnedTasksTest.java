package dev.weighlock.batch.shutdown;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weighlock.batch.BatchError;
import dev.weighlock.batch.BatchException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class OwnedTasksTest {
    private static final Duration LONG = Duration.ofMinutes(5);

    private final AtomicInteger asked = new AtomicInteger();
    private final OwnedTasks tasks = new OwnedTasks("test", asked::incrementAndGet);
    private final CountDownLatch go = new CountDownLatch(1);

    private void hold(TaskPhase phase) {
        tasks.spawn(phase, task -> {
            try {
                go.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
    }

    @Test
    void request_threeTimes_initiatesEscalatesAndThenNothing() {
        assertThat(tasks.request()).isEqualTo(ShutdownRequest.INITIATED);
        assertThat(tasks.request()).isEqualTo(ShutdownRequest.ESCALATED);
        assertThat(tasks.request()).isEqualTo(ShutdownRequest.ALREADY_ESCALATED);
        assertThat(asked).hasValue(1);
    }

    @Test
    void requestIfAccepting_afterAFirstRequest_isNoEscalation() throws Exception {
        tasks.request();
        hold();
        tasks.requestIfAccepting();

        assertThat(tasks.join(Duration.ofMillis(1)))
                .isEqualTo(new DrainResult.Incomplete(1, Map.of(TaskPhase.TASKLET, 1), 0, false));
        go.countDown();
        assertThat(tasks.join(LONG)).isEqualTo(new DrainResult.Complete(0));
    }

    private void hold() {
        tasks.spawnChild(TaskPhase.TASKLET, task -> {
            try {
                go.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
    }

    @Test
    void spawn_afterIntakeClosed_isRefused() {
        tasks.request();

        assertThatThrownBy(() -> tasks.spawn(TaskPhase.TASKLET, task -> {}))
                .isInstanceOfSatisfying(
                        BatchException.class, e -> assertThat(e.error()).isEqualTo(BatchError.SHUTTING_DOWN));
    }

    @Test
    void join_deadlinePassed_countsByPhase() throws Exception {
        hold(TaskPhase.TASKLET);
        hold(TaskPhase.TRANSACTION);
        hold(TaskPhase.TRANSACTION);
        tasks.request();

        var result = tasks.join(Duration.ofMillis(1));

        assertThat(result)
                .isEqualTo(new DrainResult.Incomplete(
                        3, Map.of(TaskPhase.TASKLET, 1, TaskPhase.TRANSACTION, 2), 0, false));
        go.countDown();
    }

    @Test
    void join_escalated_endsAtOnce() throws Exception {
        hold(TaskPhase.CHUNK_WRITE);
        tasks.request();
        var joining = CompletableFuture.supplyAsync(() -> {
            try {
                return tasks.join(Duration.ofHours(1));
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });

        tasks.request();

        assertThat(joining.get(60, java.util.concurrent.TimeUnit.SECONDS))
                .isEqualTo(new DrainResult.Incomplete(1, Map.of(TaskPhase.CHUNK_WRITE, 1), 0, true));
        go.countDown();
    }

    @Test
    void task_thatThrows_isCountedAndJoined() throws Exception {
        tasks.spawn(TaskPhase.TASKLET, task -> {
            throw new IllegalStateException("a task breaks on purpose");
        });

        assertThat(tasks.join(LONG)).isEqualTo(new DrainResult.Complete(1));
    }
}
