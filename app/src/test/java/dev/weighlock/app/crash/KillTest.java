package dev.weighlock.app.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weighlock.app.command.WlProcess;
import dev.weighlock.app.command.WlProcess.Outcome;
import dev.weighlock.batch.BatchStatus;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The whole program killed with SIGKILL and restarted at once by another process: as if nothing had happened. */
class KillTest {
    private static ShopJob.Result undisturbed;

    @TempDir
    Path folder;

    @TempDir
    Path mark;

    @BeforeAll
    static void runUndisturbed(@TempDir Path own) throws Exception {
        ShopJob job = ShopJob.create(own, 1);
        Outcome outcome = job.wl("run", ShopJob.FILE);
        assertThat(outcome.code()).as(outcome.err()).isZero();
        undisturbed = job.result();
    }

    /** The load has 4 chunks, then come the marks'; outputs are the source's, three partitions', and the report's. */
    @ParameterizedTest
    @CsvSource({
        "chunk.in-transaction, 3",
        "chunk.committed, 3",
        "output.before-rename, 1",
        "output.after-rename, 1",
        "partition.claimed, 1",
        "partition.running, 2",
        "output.before-rename, 3",
        "output.after-rename, 3",
        "partition.finished, 2",
        "chunk.in-transaction, 8",
        "chunk.committed, 8",
        "output.after-rename, 5"
    })
    void restart_afterKillAtPoint_leavesWhatAnUndisturbedRunLeaves(String point, int turn) throws Exception {
        killAndRestart(point, turn);
    }

    @Tag("long")
    @ParameterizedTest
    @CsvSource({
        "job.started, 1",
        "step.created, 3",
        "partition.planned, 1",
        "partition.finishing, 5",
        "step.finishing, 3",
        "step.finished, 1",
        "output.before-rename, 5",
        "job.finishing, 1"
    })
    void restart_afterKillAtPointBetween_leavesWhatAnUndisturbedRunLeaves(String point, int turn) throws Exception {
        killAndRestart(point, turn);
    }

    private void killAndRestart(String point, int turn) throws Exception {
        ShopJob job = ShopJob.create(folder, 1);
        try (WlProcess run = WlProcess.startUntil(point, turn, mark, folder, "run", ShopJob.FILE)) {
            run.awaitThat("at " + point, () -> Files.exists(mark.resolve("reached")));
            run.kill();
            run.await();
        }

        Outcome restart = job.wl("restart", "1");

        assertThat(restart.code()).as(restart.err()).isZero();
        assertThat(restart.err()).contains("recovered execution 1");
        assertThat(job.result()).isEqualTo(undisturbed);
        assertThat(job.recorded().status(1)).isEqualTo(BatchStatus.FAILED);
        assertThat(job.recorded().status(2)).isEqualTo(BatchStatus.COMPLETED);
        assertThat(job.recorded().completed(2)).isEqualTo(ShopJob.PARTITIONS);
    }
}
