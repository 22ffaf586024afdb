package dev.weighlock.batch.jdbc.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weighlock.batch.BatchStatus;
import dev.weighlock.batch.JobName;
import dev.weighlock.batch.JobParameters;
import dev.weighlock.batch.PartitionExecution;
import dev.weighlock.batch.StepCounts;
import dev.weighlock.batch.StepExecution;
import dev.weighlock.batch.launch.NodeRuntime;
import dev.weighlock.batch.repository.JobRepository;
import dev.weighlock.batch.testkit.ChildJvm;
import dev.weighlock.batch.testkit.EmbeddedDatabase;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * One instance whose process is killed again and again, with the repository and the target on PostgreSQL: at every commit
 * point once, and each next process begins with what the last one left. The lease is the usual one of 30 s: only the free
 * lock of the dead node lets the next one go on at once. In between another node recovers what it finds.
 */
class PostgresKillTest {
    private static final int PARTITIONS = 3;

    @TempDir
    Path folder;

    private record Point(String name, int turn) {}

    private static Point at(String name) {
        return new Point(name, 1);
    }

    private static Point at(String name, int turn) {
        return new Point(name, turn);
    }

    @Test
    void chunkJob_killedAtEveryCommitPoint_writesEachRowOnce() throws Exception {
        killAt(
                0,
                at("job.started"),
                at("step.created"),
                at("chunk.in-transaction"),
                at("chunk.guarded"),
                at("chunk.committed"),
                at("chunk.in-transaction", 2),
                at("chunk.committed", 2),
                at("step.finishing"),
                at("step.finished"),
                at("decision.recorded"),
                at("job.finishing"),
                at("job.finished"));
    }

    @Test
    void partitionedJob_killedAtEveryCommitPoint_writesEachRowOnce() throws Exception {
        killAt(
                PARTITIONS,
                at("step.created"),
                at("partition.planned"),
                at("partition.claimed"),
                at("partition.running", 2),
                at("chunk.guarded", 2),
                at("chunk.committed", 3),
                at("partition.finishing"),
                at("partition.finished"),
                at("step.finishing"),
                at("step.finished"),
                at("job.finished"));
    }

    /** More than the first claim takes: the fifth end claims others by its own write. */
    @Test
    void manyPartitions_killedAroundAnEndThatClaimsTheNext_writeEachRowOnce() throws Exception {
        killAt(20, at("partition.finishing", 5), at("partition.finished", 5));
    }

    /** The rows commit with the repository's own checkpoint. */
    @Test
    void enlistedChunks_killedAroundTheirCommit_writeEachRowOnce() throws Exception {
        var place = CrashPlace.Postgres.create(folder.resolve("locks"));
        var items = ItemTable.create(place.url());
        for (var point : List.of(at("chunk.in-transaction", 2), at("chunk.guarded", 2), at("chunk.committed", 2))) {
            kill(place, CrashJob.ENLISTED, 0, point, point.name());
        }

        assertThat(CrashJob.run(place, CrashJob.ENLISTED, 0)).isEqualTo(BatchStatus.COMPLETED);
        items.assertEachOnce("item", NumbersJob.ITEMS);
        assertRecord(place, 1);
    }

    /** Where nothing is recorded for good: behind a recorded decision or a finished job no second run comes by. */
    @Tag("long")
    @ParameterizedTest
    @CsvSource({
        "job.started, 1, 0",
        "step.created, 1, 0",
        "chunk.in-transaction, 3, 0",
        "chunk.guarded, 3, 0",
        "chunk.committed, 3, 0",
        "step.finishing, 1, 0",
        "step.finished, 1, 0",
        "job.finishing, 1, 0",
        "partition.planned, 1, 3",
        "partition.claimed, 1, 3",
        "partition.running, 1, 3",
        "chunk.in-transaction, 3, 3",
        "chunk.guarded, 3, 3",
        "chunk.committed, 3, 3",
        "partition.finishing, 1, 3",
        "partition.finished, 1, 3"
    })
    void job_killedTwiceAtOnePoint_writesEachRowOnce(String point, int turn, int partitions) throws Exception {
        killAt(partitions, at(point, turn), at(point, turn));
    }

    private void killAt(int partitions, Point... points) throws Exception {
        var place = CrashPlace.Postgres.create(folder.resolve("locks"));
        var items = ItemTable.create(EmbeddedDatabase.url(EmbeddedDatabase.createDatabase()));
        int kills = 0;
        for (var point : points) {
            kill(place, items.url(), partitions, point, "kill-" + kills);
            items.assertConsistent();
            if (++kills % 2 == 0) {
                recover(place);
            }
        }

        assertThat(CrashJob.run(place, items.url(), partitions)).isEqualTo(BatchStatus.COMPLETED);
        items.assertWhole(Math.max(1, partitions));
        assertRecord(place, Math.max(1, partitions));
    }

    private void kill(CrashPlace place, String target, int partitions, Point point, String name) {
        var arguments = List.of(place.word(), target, Integer.toString(partitions));
        try (var child =
                ChildJvm.startUntil(point.name(), point.turn(), CrashJob.class, folder.resolve(name), arguments)) {
            assertThat(child.awaitReached())
                    .as("reaches %s: %s", point, child.output())
                    .isTrue();
            child.kill();
        }
    }

    /** Another node that cannot run the job ends what the dead one left. */
    private static void recover(CrashPlace place) {
        try (var repository = place.open();
                var node = NodeRuntime.on(repository).start()) {
            node.recoverDead();
            assertThat(repository.deadExecutions()).isEmpty();
        }
    }

    /** Nothing is left active, the attempts' counts add up to the whole, and only the last one is complete. */
    private static void assertRecord(CrashPlace place, int parts) {
        try (var repository = place.open()) {
            var instance = repository
                    .instance(new JobName(CrashJob.NAME), JobParameters.NONE.identity())
                    .orElseThrow();
            var executions = repository
                    .executions(Optional.empty(), Optional.empty(), 100)
                    .items();
            assertThat(executions).noneMatch(execution -> execution.status().isActive());
            assertThat(executions)
                    .filteredOn(execution -> execution.status() == BatchStatus.COMPLETED)
                    .containsExactly(repository.lastExecution(instance.id()).orElseThrow());
            var total = executions.stream()
                    .flatMap(execution -> repository.steps(execution.id()).stream())
                    .map(step -> counts(repository, step))
                    .reduce(StepCounts.ZERO, StepCounts::plus);
            long items = (long) parts * NumbersJob.ITEMS;
            assertThat(total.read()).isEqualTo(items);
            assertThat(total.written()).isEqualTo(items);
        }
    }

    /** Of this attempt alone: what an earlier one completed is carried over with its counts. */
    private static StepCounts counts(JobRepository repository, StepExecution step) {
        return !step.partitioned()
                ? step.counts()
                : repository.partitions(step.id(), Optional.empty(), 100).items().stream()
                        .filter(partition -> !partition.carriedOver())
                        .map(PartitionExecution::counts)
                        .reduce(StepCounts.ZERO, StepCounts::plus);
    }
}
