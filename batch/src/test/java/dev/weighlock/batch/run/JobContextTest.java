package dev.weighlock.batch.run;

import static dev.weighlock.batch.flow.Transition.on;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weighlock.batch.BatchStatus;
import dev.weighlock.batch.ExecutionContext;
import dev.weighlock.batch.JobParameters;
import dev.weighlock.batch.chunk.Delivery;
import dev.weighlock.batch.flow.ChunkStep;
import dev.weighlock.batch.flow.Job;
import dev.weighlock.batch.flow.TaskletStep;
import dev.weighlock.batch.launch.LaunchResult;
import dev.weighlock.batch.launch.NodeRuntime;
import dev.weighlock.batch.partition.Partitioning;
import dev.weighlock.batch.repository.AuditEntry;
import dev.weighlock.batch.repository.NodeInfo;
import dev.weighlock.batch.tasklet.TaskletOutcome;
import dev.weighlock.batch.testing.MemoryTarget;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What steps put into the job's context. */
class JobContextTest {
    private final TestNode node = new TestNode();
    private final ConcurrentLinkedQueue<Long> seen = new ConcurrentLinkedQueue<>();

    @AfterEach
    void close() {
        node.close();
    }

    private TaskletStep putting(String name, long value) {
        return TaskletStep.of(name, context -> {
            context.putInJob("rows", value);
            return TaskletOutcome.COMPLETED;
        });
    }

    private TaskletStep looking(String name) {
        return TaskletStep.of(name, context -> {
            seen.add(context.jobContext().longValue("rows", -1));
            return TaskletOutcome.COMPLETED;
        });
    }

    @Test
    void putInJob_isSeenByLaterStepsAndDecisionsAndStoredWithTheJob() throws Exception {
        var job = Job.named("job")
                .step(putting("a", 7))
                .decision("many", "1", context -> context.jobContext().longValue("rows", 0) > 5 ? "MANY" : "FEW")
                .step(looking("b"))
                .flow("a", on("*", "many"))
                .flow("many", on("MANY", "b"), on("*", "FAIL"))
                .flow("b", on("*", "COMPLETE"))
                .build();

        var ended = node.run(job, BatchStatus.COMPLETED);

        assertThat(seen).containsExactly(7L);
        assertThat(ended.context()).isEqualTo(ExecutionContext.of(Map.of("rows", 7L)));
    }

    @Test
    void putInJob_ofACompletedStepWhoseOwnerDied_isThereAtTheRestart() throws Exception {
        var inside = new CountDownLatch(1);
        var go = new CountDownLatch(1);
        var job = Job.named("job")
                .step(putting("a", 7))
                .step(TaskletStep.of("b", context -> {
                    if (context.jobAttempt() == 1) {
                        inside.countDown();
                        go.await();
                    }
                    return TaskletOutcome.COMPLETED;
                }))
                .step(looking("c"))
                .build();
        try (var dying = NodeRuntime.on(node.repository)
                .node(new NodeInfo("dying", "elsewhere", 1))
                .start()) {
            var run = ((LaunchResult.Launched) dying.launcher().launch(job, JobParameters.NONE)).run();
            inside.await();
            node.repository.declareDead("dying");
            var failed = node.repository.failDead(run.execution(), new AuditEntry("recover", "test", "dead"));
            go.countDown();
            assertThat(failed.context()).isEqualTo(ExecutionContext.EMPTY);

            node.run(job, BatchStatus.COMPLETED);
        }

        assertThat(seen).containsExactly(7L);
    }

    @Test
    void putInJob_ofAWriter_commitsWithItsChunks() throws Exception {
        var target = new MemoryTarget();
        var step = ChunkStep.<Long>copying("copy", Items.upTo(10), context -> (items, chunk) -> {
                    chunk.transaction(MemoryTarget.Rows.class).add(items.size());
                    context.putInJob("rows", chunk.sequence());
                    if (chunk.sequence() == 3 && context.jobAttempt() == 1) {
                        throw new IllegalStateException("broken");
                    }
                })
                .delivery(Delivery.withTarget(context -> target))
                .size(2)
                .build();
        var job = Job.named("job").step(step).step(looking("after")).build();

        node.run(job, BatchStatus.FAILED);
        node.run(job, BatchStatus.COMPLETED);

        assertThat(seen).containsExactly(5L);
    }

    @Test
    void putInJob_inAPartition_isRefused() throws Exception {
        var step = TaskletStep.named("p", context -> {
                    context.putInJob("rows", 1);
                    return TaskletOutcome.COMPLETED;
                })
                .partitioned(Partitioning.keys(List.of("k")))
                .build();

        var ended = node.run(Job.named("job").step(step).build(), BatchStatus.FAILED);

        assertThat(ended.diagnostics().orElseThrow()).contains("partition \"k\" has a context of its own");
    }

    @Test
    void putInJob_overItsBound_failsTheStep() throws Exception {
        var step = TaskletStep.of("a", context -> {
            context.putInJob("large", "x".repeat(64 * 1024));
            return TaskletOutcome.COMPLETED;
        });

        assertThat(node.run(Job.named("job").step(step).build(), BatchStatus.FAILED)
                        .context())
                .isEqualTo(ExecutionContext.EMPTY);
    }
}
