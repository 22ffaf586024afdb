package dev.weighlock.batch.jdbc.operate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weighlock.batch.BatchStatus;
import dev.weighlock.batch.JobExecution;
import dev.weighlock.batch.JobName;
import dev.weighlock.batch.JobParameters;
import dev.weighlock.batch.ParameterValue.LongValue;
import dev.weighlock.batch.flow.Job;
import dev.weighlock.batch.flow.TaskletStep;
import dev.weighlock.batch.jdbc.sqlite.SqliteRepository;
import dev.weighlock.batch.launch.LaunchResult;
import dev.weighlock.batch.launch.NodeRuntime;
import dev.weighlock.batch.operate.Instruction;
import dev.weighlock.batch.operate.Purge;
import dev.weighlock.batch.operate.PurgeEffects;
import dev.weighlock.batch.repository.PurgeRule;
import dev.weighlock.batch.run.RunOutcome;
import dev.weighlock.batch.tasklet.TaskletOutcome;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Removing a long history beside live work, which neither waits nor loses anything. */
class PurgeTest {
    private static final Duration LONG = Duration.ofMinutes(5);
    private static final Instruction EVE = new Instruction("eve", "old");

    @TempDir
    Path folder;

    private final AtomicBoolean purged = new AtomicBoolean();

    @Test
    void purge_of10000BesideARunningJob_removesThemAndNothingElse() throws Exception {
        purgeBesideLiveWork(10_000);
    }

    @Test
    @Tag("long")
    void purge_of100000BesideARunningJob_removesThemAndNothingElse() throws Exception {
        purgeBesideLiveWork(100_000);
    }

    private void purgeBesideLiveWork(int history) throws Exception {
        var file = folder.resolve("repository.db");
        SqliteRepository.open(file).close();
        load(file, history);
        try (var repository = SqliteRepository.open(file);
                var node = NodeRuntime.on(repository).start();
                var threads = Executors.newFixedThreadPool(1)) {
            var running = ((LaunchResult.Launched) node.launcher().launch(longJob(), JobParameters.NONE)).run();
            var launching = threads.submit(launches(node));
            var purge = new Purge(repository);
            var plan = purge.plan(new PurgeRule(Instant.parse("2026-01-01T00:00:00Z"), 0));

            var done = purge.apply(plan.digest(), EVE, PurgeEffects.NONE);

            purged.set(true);
            int launched = launching.get();
            assertThat(plan.executions()).isEqualTo(history);
            assertThat(done.value().executions()).isEqualTo(history);
            assertThat(status(running.await(LONG).orElseThrow())).isEqualTo(BatchStatus.COMPLETED);
            assertThat(repository
                            .executions(Optional.of(new JobName("old")), Optional.empty(), 10)
                            .items())
                    .isEmpty();
            var jobs = repository.jobs(Optional.empty(), 10).items();
            assertThat(jobs).hasSize(2);
            assertThat(jobs.stream().mapToLong(job -> job.executions()).sum()).isEqualTo(launched + 1);
        }
    }

    /** An instance each, with a step; all ended in 2001. */
    private static void load(Path file, int history) throws Exception {
        try (var connection = DriverManager.getConnection("jdbc:sqlite:" + file);
                var statement = connection.createStatement()) {
            statement.executeUpdate("""
                    BEGIN;
                    INSERT INTO node VALUES ('old', 'here', 1, 1);
                    INSERT INTO definition VALUES ('d', 'old', 'java/1', 'job old', 1);
                    INSERT INTO job VALUES (1, 'old', %1$d, %1$d, %1$d);
                    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %1$d)
                    INSERT INTO job_instance (id, job_id, identity) SELECT i, 1, 'i' || i FROM n;
                    INSERT INTO job_execution (id, job_id, instance_id, attempt, parameters, definition_digest,
                        fingerprint, status, exit_code, version, epoch, owner_node, context, created_at, ended_at)
                    SELECT id, 1, id, 1, '[]', 'd', 'f', 'COMPLETED', 'COMPLETED', 3, 1, 'old', '{}',
                        1000000000000000, 1000000000000000 FROM job_instance;
                    INSERT INTO step_execution (execution_id, instance_id, step_name, attempt, status, exit_code,
                        version, epoch, context, partitioned, started_at, ended_at)
                    SELECT id, id, 's', 1, 'COMPLETED', 'COMPLETED', 2, 1, '{}', 0,
                        1000000000000000, 1000000000000000 FROM job_execution;
                    COMMIT;
                    """.formatted(history));
        }
    }

    /** It works until the purge is over. */
    private Job longJob() {
        return Job.named("live")
                .step(TaskletStep.named("work", step -> {
                            while (!purged.get()) {
                                step.stopToken().await(Duration.ofMillis(5));
                            }
                            return TaskletOutcome.COMPLETED;
                        })
                        .build())
                .build();
    }

    /** Whole executions, one after the other, until the purge is over; each must complete. */
    private Callable<Integer> launches(NodeRuntime node) {
        var job = Job.named("short")
                .step(TaskletStep.of("a", step -> TaskletOutcome.COMPLETED))
                .build();
        return () -> {
            int launched = 0;
            while (!purged.get()) {
                var parameters = JobParameters.NONE.with("n", new LongValue(launched));
                var run = ((LaunchResult.Launched) node.launcher().launch(job, parameters)).run();
                assertThat(status(run.await(LONG).orElseThrow())).isEqualTo(BatchStatus.COMPLETED);
                launched++;
            }
            return launched;
        };
    }

    private static BatchStatus status(RunOutcome outcome) {
        JobExecution execution = ((RunOutcome.Ended) outcome).execution();
        return execution.status();
    }
}
