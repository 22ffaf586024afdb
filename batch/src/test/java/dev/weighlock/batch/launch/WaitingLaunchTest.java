package dev.weighlock.batch.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weighlock.batch.BatchStatus;
import dev.weighlock.batch.JobExecution;
import dev.weighlock.batch.JobParameters;
import dev.weighlock.batch.MaxConcurrent.Otherwise;
import dev.weighlock.batch.ParameterValue.LongValue;
import dev.weighlock.batch.flow.Job;
import dev.weighlock.batch.flow.TaskletStep;
import dev.weighlock.batch.operate.Instruction;
import dev.weighlock.batch.repository.InMemoryJobRepository;
import dev.weighlock.batch.repository.NodeInfo;
import dev.weighlock.batch.run.RunOutcome;
import dev.weighlock.batch.run.RunningJob;
import dev.weighlock.batch.tasklet.TaskletOutcome;
import dev.weighlock.batch.testing.Await;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Launches beyond a job's limit: refused, or waiting for their turn. */
class WaitingLaunchTest {
    private static final Duration LONG = Duration.ofMinutes(5);

    private final InMemoryJobRepository repository = new InMemoryJobRepository();
    private final Semaphore gate = new Semaphore(0);
    private final List<String> ran = new CopyOnWriteArrayList<>();
    private final NodeRuntime node = node("here");

    /** Its own executions are never its to end: one that is declared dead lives on here. */
    private NodeRuntime node(String id) {
        return NodeRuntime.on(repository)
                .node(new NodeInfo(id, "host", 1))
                .recovers(dead -> !dead.ownerNode().equals(id))
                .settings(NodeSettings.DEFAULT.withPoll(Duration.ofMillis(100)))
                .definitions(JobDefinitions.of(job(Otherwise.QUEUE)))
                .start();
    }

    private Job job(Otherwise otherwise) {
        return Job.named("job")
                .recovery(Job.Recovery.RESTART)
                .maxConcurrent(1, otherwise)
                .step(TaskletStep.named("wait", step -> {
                            gate.acquire();
                            ran.add(step.parameters()
                                    .value("n")
                                    .map(value -> value.text())
                                    .orElse(""));
                            return TaskletOutcome.COMPLETED;
                        })
                        .build())
                .build();
    }

    @AfterEach
    void close() {
        gate.release(100);
        node.close();
    }

    private static JobParameters n(long n) {
        return JobParameters.NONE.with("n", new LongValue(n));
    }

    private LaunchResult launch(long n) {
        return node.launcher().launch(job(Otherwise.QUEUE), n(n));
    }

    private RunningJob launched(LaunchResult result) {
        assertThat(result).isInstanceOf(LaunchResult.Launched.class);
        return ((LaunchResult.Launched) result).run();
    }

    private WaitingLaunch waiting(LaunchResult result) {
        assertThat(result).isInstanceOf(LaunchResult.Queued.class);
        return ((LaunchResult.Queued) result).waiting();
    }

    private static JobExecution ended(RunningJob run) throws InterruptedException {
        return ((RunOutcome.Ended) run.await(LONG).orElseThrow()).execution();
    }

    @Test
    void launch_beyondTheLimit_waitsAndRunsInOrder() throws Exception {
        var first = launched(launch(1));
        try (var second = waiting(launch(2));
                var third = waiting(launch(3))) {
            assertThat(second.place()).isEqualTo(1);
            assertThat(third.place()).isEqualTo(2);
            assertThat(second.running()).extracting(JobExecution::id).containsExactly(first.executionId());
            assertThat(third.tryLaunch()).isEmpty();

            gate.release();
            ended(first);
            assertThat(third.tryLaunch()).as("it is not its turn").isEmpty();
            var next = launched(second.await(LONG).orElseThrow());
            assertThat(third.tryLaunch()).isEmpty();
            assertThat(third.place()).isEqualTo(1);
            gate.release(2);
            ended(next);
            ended(launched(third.await(LONG).orElseThrow()));
        }
        assertThat(ran).containsExactly("1", "2", "3");
    }

    @Test
    void launch_beyondTheLimit_thatRefuses_namesThoseThatRun() {
        var first = launched(launch(1));

        var refused = node.launcher().launch(job(Otherwise.REFUSE), n(2));

        assertThat(refused).isInstanceOf(LaunchResult.LimitReached.class);
        assertThat(((LaunchResult.LimitReached) refused).running())
                .extracting(JobExecution::id)
                .containsExactly(first.executionId());
    }

    @Test
    void cancel_fromElsewhere_endsTheWaiting() {
        launched(launch(1));
        var second = waiting(launch(2));

        var cancelled = node.operator().cancelLaunch(second.request().id(), new Instruction("eve", "too late"));

        assertThat(cancelled.changed()).isTrue();
        assertThat(second.tryLaunch().orElseThrow()).isEqualTo(new LaunchResult.Withdrawn(cancelled.value()));
        assertThat(cancelled.value().endedBy()).contains("eve: too late");
        assertThat(node.operator()
                        .cancelLaunch(second.request().id(), new Instruction("eve", ""))
                        .changed())
                .isFalse();
    }

    @Test
    void cancel_withTheKeyOfAnotherRequest_isRefused() {
        launched(launch(1));
        var second = waiting(launch(2)).request();
        var third = waiting(launch(3)).request();
        var keyed = new Instruction("eve", "too late", Optional.of("k"));

        assertThat(node.operator().cancelLaunch(second.id(), keyed).changed()).isTrue();
        assertThat(node.operator().cancelLaunch(second.id(), keyed).changed()).isFalse();

        assertThatThrownBy(() -> node.operator().cancelLaunch(third.id(), keyed))
                .hasMessageContaining("belongs to another act: cancel (" + second.name() + ":");
        assertThat(node.operator()
                        .cancelLaunch(third.id(), new Instruction("eve", ""))
                        .changed())
                .isTrue();
    }

    @Test
    void close_givesThePlaceUp() throws Exception {
        var first = launched(launch(1));
        waiting(launch(2)).close();
        try (var third = waiting(launch(3))) {
            gate.release(2);
            ended(first);
            ended(launched(third.await(LONG).orElseThrow()));
        }
        assertThat(repository.queuedLaunches(Optional.empty(), 10)).isEmpty();
    }

    @Test
    void waiterOfADeadProcess_isPassedOver() throws Exception {
        var first = launched(launch(1));
        try (var other = node("other")) {
            waiting(other.launcher().launch(job(Otherwise.QUEUE), n(2)));
            try (var third = waiting(launch(3))) {
                assertThat(third.place()).isEqualTo(2);
                repository.declareDead("other");
                gate.release(2);
                ended(first);
                ended(launched(third.await(LONG).orElseThrow()));
            }
        }
        assertThat(ran).containsExactly("1", "3");
    }

    @Test
    void recoveredOwner_restartsAheadOfThoseThatWait() throws Exception {
        try (var other = node("other")) {
            var first = launched(other.launcher().launch(job(Otherwise.QUEUE), n(1)));
            try (var second = waiting(launch(2))) {
                repository.declareDead("other");

                // Or the regular round, where that comes first.
                node.recoverDead();

                Await.until(() -> !node.launcher().runs().isEmpty());
                assertThat(repository
                                .execution(first.executionId())
                                .orElseThrow()
                                .status())
                        .isEqualTo(BatchStatus.FAILED);
                var restarted = node.launcher().runs();
                assertThat(restarted).singleElement().satisfies(run -> {
                    assertThat(run.execution().attempt()).isEqualTo(2);
                    assertThat(run.execution().parameters()).isEqualTo(n(1));
                });
                assertThat(second.tryLaunch()).isEmpty();
                gate.release(3);
                ended(restarted.getFirst());
                ended(launched(second.await(LONG).orElseThrow()));
            }
        }
    }
}
