package dev.weighlock.batch.jdbc.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weighlock.batch.BatchStatus;
import dev.weighlock.batch.ExecutionContext;
import dev.weighlock.batch.JobName;
import dev.weighlock.batch.JobParameters;
import dev.weighlock.batch.ParameterValue.LongValue;
import dev.weighlock.batch.flow.Job;
import dev.weighlock.batch.flow.TaskletStep;
import dev.weighlock.batch.launch.LaunchResult;
import dev.weighlock.batch.launch.NodeRuntime;
import dev.weighlock.batch.operate.Instruction;
import dev.weighlock.batch.operate.Purge;
import dev.weighlock.batch.operate.PurgeEffects;
import dev.weighlock.batch.repository.PurgeRule;
import dev.weighlock.batch.run.RunOutcome;
import dev.weighlock.batch.tasklet.TaskletOutcome;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Removing a long history on the server beside live work of other processes, which loses nothing and never fails. */
class PostgresPurgeTest {
    private static final Duration LONG = Duration.ofMinutes(5);
    private static final int LAUNCHERS = 3;

    private final AtomicBoolean purged = new AtomicBoolean();

    @Test
    void purge_of10000BesideRunningJobs_removesThemAndNothingElse() throws Exception {
        purgeBesideLiveWork(10_000);
    }

    @Test
    @Tag("long")
    void purge_of100000BesideRunningJobs_removesThemAndNothingElse() throws Exception {
        purgeBesideLiveWork(100_000);
    }

    private void purgeBesideLiveWork(int history) throws Exception {
        try (var store = TestStore.onNewest()) {
            load(store, history);
            try (var operators = store.open();
                    var workers = store.open();
                    var node = NodeRuntime.on(workers).start();
                    var threads = Executors.newFixedThreadPool(LAUNCHERS)) {
                var running = ((LaunchResult.Launched) node.launcher().launch(longJob(), JobParameters.NONE)).run();
                var launching = threads.submit(launches(node, 1));
                var others = threads.submit(launches(node, 2));
                // Instances of the very job that is purged are begun meanwhile.
                var old = threads.submit(launches(node, "old", 3));
                var purge = new Purge(operators);
                var plan = purge.plan(new PurgeRule(Instant.parse("2002-01-01T00:00:00Z"), 0));

                var done = purge.apply(plan.digest(), new Instruction("eve", "old"), PurgeEffects.NONE);

                purged.set(true);
                int launched = launching.get() + others.get();
                int anew = old.get();
                assertThat(plan.executions()).isEqualTo(history);
                assertThat(done.value().executions()).isEqualTo(history);
                assertThat(status(running.await(LONG).orElseThrow())).isEqualTo(BatchStatus.COMPLETED);
                assertThat(operators.jobs(Optional.empty(), 10).items())
                        .allSatisfy(job -> assertThat(job.executions())
                                .as("%s", job.job())
                                .isEqualTo(
                                        switch (job.job().value()) {
                                            case "old" -> anew;
                                            case "short" -> launched;
                                            default -> 1;
                                        }));
                assertThat(store.number("SELECT count(*) FROM job_execution")).isEqualTo(launched + anew + 1);
                assertThat(store.number("SELECT count(*) FROM step_execution")).isEqualTo(launched + anew + 1);
                assertThat(store.number("SELECT count(*) FROM job_instance WHERE purging"))
                        .isZero();
            }
        }
    }

    /** An instance each, with a step; all ended in 2001. */
    private static void load(TestStore store, int history) throws Exception {
        var context = ExecutionContext.EMPTY.toJson();
        store.run("INSERT INTO definition (digest, job_name, format, content) VALUES ('d', 'old', 'java/1', 'x')");
        store.run("INSERT INTO node (id, host, pid, ended_at) VALUES ('gone', 'old', 1, now())");
        store.run("INSERT INTO job (name, instances, executions) VALUES ('old', " + history + ", " + history + ")");
        store.run("INSERT INTO job_instance (job_id, identity) SELECT j.id, 'i' || g FROM job j, generate_series(1, "
                + history + ") g");
        store.run("""
                INSERT INTO job_execution (job_id, instance_id, attempt, parameters, definition_digest, fingerprint, status,
                    exit_code, version, epoch, owner_node, launch_key, context, created_at, ended_at)
                SELECT job_id, id, 1, '[]', 'd', 'p', 'COMPLETED', 'COMPLETED', 3, 1, 'gone', gen_random_uuid(), '%1$s',
                    '2001-01-01', '2001-01-01' FROM job_instance
                """.formatted(context));
        store.run("""
                INSERT INTO step_execution (execution_id, instance_id, step_name, attempt, status, exit_code, version,
                    epoch, context, partitioned, started_at, ended_at)
                SELECT id, instance_id, 's', 1, 'COMPLETED', 'COMPLETED', 2, 1, '%1$s', false, created_at, ended_at
                FROM job_execution
                """.formatted(context));
        store.run("UPDATE job SET last_execution_id = (SELECT max(id) FROM job_execution)");
        store.run("ANALYZE");
    }

    /** It works until the purge is over. */
    private Job longJob() {
        return Job.named("live")
                .step(TaskletStep.of("work", step -> {
                    while (!purged.get()) {
                        step.stopToken().await(Duration.ofMillis(5));
                    }
                    return TaskletOutcome.COMPLETED;
                }))
                .build();
    }

    private Callable<Integer> launches(NodeRuntime node, int thread) {
        return launches(node, "short", thread);
    }

    /** Whole executions, one after the other, until the purge is over; each must complete. */
    private Callable<Integer> launches(NodeRuntime node, String name, int thread) {
        var job = Job.named(new JobName(name).value())
                .step(TaskletStep.of("a", step -> TaskletOutcome.COMPLETED))
                .build();
        return () -> {
            int launched = 0;
            while (!purged.get()) {
                var parameters =
                        JobParameters.NONE.with("thread", new LongValue(thread)).with("n", new LongValue(launched));
                var run = ((LaunchResult.Launched) node.launcher().launch(job, parameters)).run();
                assertThat(status(run.await(LONG).orElseThrow())).isEqualTo(BatchStatus.COMPLETED);
                launched++;
            }
            return launched;
        };
    }

    private static BatchStatus status(RunOutcome outcome) {
        return ((RunOutcome.Ended) outcome).execution().status();
    }
}
