package dev.weighlock.batch.jdbc.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weighlock.batch.BatchStatus;
import dev.weighlock.batch.JobName;
import dev.weighlock.batch.JobParameters;
import dev.weighlock.batch.testkit.ChildJvm;
import dev.weighlock.batch.testkit.CutProxy;
import dev.weighlock.batch.testkit.EmbeddedDatabase;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A process killed at a commit point, then a restart on the same host: every row is there exactly once. */
class CrashTest {
    private static final int PARTITIONS = 3;

    @TempDir
    Path folder;

    private CrashPlace repository() {
        return new CrashPlace.Sqlite(folder.resolve("repository.db"));
    }

    private String sqlite() {
        return "sqlite:" + folder.resolve("target.db");
    }

    @ParameterizedTest
    @CsvSource({"chunk.in-transaction, 3", "chunk.committed, 3"})
    void chunkStep_killedInAChunk_writesEachRowOnce(String point, int turn) throws Exception {
        killAndRestart(point, turn, sqlite(), 0, 1);
    }

    @Test
    void partitionedStep_killedBetweenPartitions_writesEachRowOnce() throws Exception {
        killAndRestart("partition.finished", 2, sqlite(), PARTITIONS, 1);
    }

    @Tag("long")
    @ParameterizedTest
    @CsvSource({
        "job.started, 1",
        "step.created, 1",
        "chunk.in-transaction, 1",
        "chunk.in-transaction, 2",
        "chunk.guarded, 2",
        "chunk.committed, 1",
        "chunk.committed, 2",
        "step.finishing, 1",
        "step.finished, 1",
        "decision.recorded, 1",
        "job.finishing, 1",
        "job.finished, 1"
    })
    void chunkStep_killedTwiceAtAnyPoint_writesEachRowOnce(String point, int turn) throws Exception {
        killAndRestart(point, turn, sqlite(), 0, 2);
    }

    @Tag("long")
    @ParameterizedTest
    @CsvSource({
        "partition.planned, 1",
        "partition.claimed, 1",
        "partition.running, 1",
        "chunk.in-transaction, 3",
        "chunk.committed, 3",
        "partition.finishing, 1",
        "partition.finished, 1",
        "step.finishing, 1",
        "step.finished, 1",
        "job.finishing, 1"
    })
    void partitionedStep_killedTwiceAtAnyPoint_writesEachRowOnce(String point, int turn) throws Exception {
        killAndRestart(point, turn, sqlite(), PARTITIONS, 2);
    }

    @Tag("long")
    @ParameterizedTest
    @CsvSource({
        "chunk.in-transaction, 3, 0",
        "chunk.committed, 3, 0",
        "chunk.in-transaction, 3, 3",
        "chunk.committed, 3, 3"
    })
    void postgresTarget_killedTwiceInAChunk_writesEachRowOnce(String point, int turn, int partitions) throws Exception {
        killAndRestart(point, turn, EmbeddedDatabase.url(EmbeddedDatabase.createDatabase()), partitions, 2);
    }

    /** Rows written; guard passed; committed. */
    @ParameterizedTest
    @CsvSource({"chunk.in-transaction", "chunk.guarded", "chunk.committed"})
    void postgresTarget_ownerKilledInAChunk_writesEachRowOnce(String point) throws Exception {
        killAndRestart(point, 3, EmbeddedDatabase.url(EmbeddedDatabase.createDatabase()), 0, 1);
    }

    /** With SQLite a paused owner is never replaced: it is refused by name, and goes on where it stood. */
    @ParameterizedTest
    @CsvSource({"chunk.in-transaction", "chunk.guarded"})
    void postgresTarget_ownerPausedAndContinued_isNotTakenOverAndWritesEachRowOnce(String point) throws Exception {
        var url = EmbeddedDatabase.url(EmbeddedDatabase.createDatabase());
        var items = ItemTable.create(url);
        var arguments = List.of(repository().word(), url, "0");
        try (var paused = ChildJvm.startUntil(point, 3, CrashJob.class, folder.resolve("paused"), arguments)) {
            assertThat(paused.awaitReached()).as(paused.output()).isTrue();

            assertThatThrownBy(() -> CrashJob.run(repository(), url, 0)).hasMessageContaining("AlreadyRunning");
            paused.letContinue();

            assertThat(paused.awaitExit()).as(paused.output()).isZero();
        }
        items.assertWhole(1);
        assertEnded();
    }

    @Test
    void postgresTarget_commitWithoutAnswer_writesEachRowOnce() throws Exception {
        var database = EmbeddedDatabase.createDatabase();
        var items = ItemTable.create(EmbeddedDatabase.url(database));
        try (var proxy = CutProxy.start(EmbeddedDatabase.port())) {
            // Answers come to the making of the checkpoint table, to its acquisition, then to the chunks.
            proxy.cutAnswer(4);

            var status = CrashJob.run(repository(), EmbeddedDatabase.url(database, proxy.port()), 0);

            assertThat(proxy.cuts()).isEqualTo(1);
            assertThat(status).isEqualTo(BatchStatus.COMPLETED);
        }
        items.assertWhole(1);
    }

    /** No item is to blame for a connection that breaks while they are written. */
    @Test
    void postgresTarget_connectionBrokenWhileWriting_writesEachRowOnce() throws Exception {
        var database = EmbeddedDatabase.createDatabase();
        var items = ItemTable.create(EmbeddedDatabase.url(database));
        try (var proxy = CutProxy.start(EmbeddedDatabase.port())) {
            // The driver sends five rows as four and one.
            proxy.cutAnswer("INSERT 0 4", 2);

            var status = CrashJob.run(repository(), EmbeddedDatabase.url(database, proxy.port()), 0);

            assertThat(proxy.cuts()).isEqualTo(1);
            assertThat(status).isEqualTo(BatchStatus.COMPLETED);
        }
        items.assertWhole(1);
    }

    private void killAndRestart(String point, int turn, String url, int partitions, int kills) throws Exception {
        var items = ItemTable.create(url);
        for (int kill = 1; kill <= kills; kill++) {
            var arguments = List.of(repository().word(), url, Integer.toString(partitions));
            try (var child =
                    ChildJvm.startUntil(point, turn, CrashJob.class, folder.resolve("kill-" + kill), arguments)) {
                if (child.awaitReached()) {
                    child.kill();
                } else {
                    assertThat(kill)
                            .as("the first run reaches its point: %s", child.output())
                            .isGreaterThan(1);
                }
            }
        }
        assertThat(CrashJob.run(repository(), url, partitions)).isEqualTo(BatchStatus.COMPLETED);
        items.assertWhole(Math.max(1, partitions));
        assertEnded();
    }

    private void assertEnded() {
        try (var repository = repository().open()) {
            var instance = repository
                    .instance(new JobName(CrashJob.NAME), JobParameters.NONE.identity())
                    .orElseThrow();
            assertThat(repository.lastExecution(instance.id()).orElseThrow().status())
                    .isEqualTo(BatchStatus.COMPLETED);
            assertThat(repository.deadExecutions()).isEmpty();
        }
    }
}
