package dev.weighlock.batch.jdbc.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weighlock.batch.BatchStatus;
import dev.weighlock.batch.JobParameters;
import dev.weighlock.batch.flow.Job;
import dev.weighlock.batch.flow.TaskletStep;
import dev.weighlock.batch.launch.LaunchResult;
import dev.weighlock.batch.launch.NodeRuntime;
import dev.weighlock.batch.run.RunOutcome;
import dev.weighlock.batch.tasklet.TaskletOutcome;
import dev.weighlock.batch.testkit.CutProxy;
import dev.weighlock.batch.testkit.EmbeddedDatabase;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The repository's writes on a connection that breaks: before a COMMIT arrives, and after it was done but before its answer
 * came. Whatever the run makes of it, the record says what happened, and every row is there once.
 */
class LostAnswerTest {
    private static final int MOST_TURNS = 30;
    private static final int CHUNKS = 8;

    @TempDir
    Path folder;

    /** Breaks one write of a job. */
    @FunctionalInterface
    private interface Cut {
        void at(CutProxy proxy, int turn);
    }

    @Test
    void commit_thatFails_isNotInTheRecord() throws Exception {
        assertThat(eachTurn("failed", LostAnswerTest::numbers, CutProxy::cutCommit))
                .isGreaterThanOrEqualTo(CHUNKS);
    }

    @Test
    void commit_whoseAnswerIsLost_isInTheRecord() throws Exception {
        assertThat(eachTurn("lost", LostAnswerTest::numbers, (proxy, turn) -> proxy.cutAnswer("COMMIT", turn)))
                .isGreaterThanOrEqualTo(CHUNKS);
    }

    /** Statements that commit by themselves: the launch, the ends, what begins in between. */
    @Test
    void statement_whoseAnswerIsLost_isInTheRecord() throws Exception {
        assertThat(eachTurn("launch", LostAnswerTest::steps, (proxy, turn) -> proxy.cutAnswer("SELECT 1", turn)))
                .isGreaterThanOrEqualTo(1);
        assertThat(eachTurn("update", LostAnswerTest::steps, (proxy, turn) -> proxy.cutAnswer("UPDATE 1", turn)))
                .isGreaterThanOrEqualTo(2);
        assertThat(eachTurn("insert", LostAnswerTest::steps, (proxy, turn) -> proxy.cutAnswer("INSERT 0 1", turn)))
                .isGreaterThanOrEqualTo(3);
    }

    private static Job numbers(String name) {
        return NumbersJob.enlisted(name, name);
    }

    private static Job steps(String name) {
        return Job.named(name)
                .step(TaskletStep.of("first", context -> TaskletOutcome.COMPLETED))
                .step(TaskletStep.of("second", context -> TaskletOutcome.COMPLETED))
                .build();
    }

    /** Breaks the first write of one job, the second of another, and so on; returns how many jobs had so many. */
    private int eachTurn(String prefix, Function<String, Job> jobs, Cut cut) throws Exception {
        var direct = CrashPlace.Postgres.create(folder.resolve("locks-" + prefix));
        for (int turn = 1; turn <= MOST_TURNS; turn++) {
            var name = prefix + "_" + turn;
            new ItemTable(direct.url()).run("CREATE TABLE " + name + " (id BIGINT NOT NULL)");
            if (!broken(direct, jobs.apply(name), cut, turn)) {
                return turn - 1;
            }
        }
        return MOST_TURNS;
    }

    private static boolean broken(CrashPlace.Postgres direct, Job job, Cut cut, int turn) throws Exception {
        var database = direct.url().substring(direct.url().lastIndexOf('/') + 1);
        try (var proxy = CutProxy.start(EmbeddedDatabase.port());
                var repository = direct.withUrl(EmbeddedDatabase.url(database, proxy.port()))
                        .open();
                var node = NodeRuntime.on(repository).start()) {
            cut.at(proxy, turn);
            var run = ((LaunchResult.Launched) node.launcher().launch(job, JobParameters.NONE)).run();
            var outcome = run.await(Duration.ofMinutes(5)).orElseThrow();
            boolean cutOnce = proxy.cuts() == 1;
            assertThat(outcome).as("%s, cut %d", job.name(), turn).isInstanceOf(RunOutcome.Ended.class);
            assertTrue(direct, job, run.executionId());
            return cutOnce;
        }
    }

    /** One execution and two steps, whose counts are those of the table. */
    private static void assertTrue(CrashPlace.Postgres direct, Job job, long execution) throws Exception {
        try (var repository = direct.open()) {
            assertThat(repository.execution(execution).orElseThrow().status())
                    .as(job.name().value())
                    .isEqualTo(BatchStatus.COMPLETED);
            assertThat(repository
                            .executions(Optional.of(job.name()), Optional.empty(), 10)
                            .items())
                    .hasSize(1);
            var steps = repository.steps(execution);
            assertThat(steps).hasSize(2).allMatch(step -> step.status() == BatchStatus.COMPLETED);
            long written =
                    steps.stream().mapToLong(step -> step.counts().written()).sum();
            new ItemTable(direct.url()).assertEachOnce(job.name().toString(), written);
            assertThat(written).isIn(0L, (long) NumbersJob.ITEMS);
        }
    }
}
