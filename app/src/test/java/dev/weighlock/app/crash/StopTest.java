package dev.weighlock.app.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weighlock.app.command.WlProcess;
import dev.weighlock.app.command.WlProcess.Outcome;
import dev.weighlock.batch.BatchStatus;
import dev.weighlock.batch.PartitionStatus;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Stopping a partitioned step from outside: it ends cleanly or at once, and a restart completes the job either way. */
class StopTest {
    private static final String REPORT = "region,revenue\neast,1573\nnorth,1687\nsouth,1560\n";

    @TempDir
    Path folder;

    @TempDir
    Path mark;

    @Test
    void stop_fromAnotherProcess_endsStoppedAndRestartCompletes() throws Exception {
        ShopJob job = ShopJob.create(folder, 1);
        try (WlProcess run = startHeldInPartition()) {
            assertThat(job.wl("stop", "1").code()).isZero();
            awaitStopping(run, job);
            letContinue();

            Outcome ended = run.await();

            assertThat(ended.code()).as(ended.err()).isEqualTo(131);
        }
        assertStoppedInPartition(job);
        assertRestartCompletes(job);
    }

    @Test
    void interrupt_once_endsStoppedAndRestartCompletes() throws Exception {
        ShopJob job = ShopJob.create(folder, 1);
        try (WlProcess run = startHeldInPartition()) {
            run.interrupt();
            awaitStopping(run, job);
            letContinue();

            Outcome ended = run.await();

            assertThat(ended.code()).as(ended.err()).isEqualTo(130);
            assertThat(ended.err()).contains("wl restart 1");
        }
        assertStoppedInPartition(job);
        assertRestartCompletes(job);
    }

    @Test
    void interrupt_twice_endsAtOnceAndTheNextCommandRecovers() throws Exception {
        ShopJob job = ShopJob.create(folder, 1);
        try (WlProcess run = startHeldInPartition()) {
            run.interrupt();
            awaitStopping(run, job);
            run.interrupt();

            Outcome ended = run.await();

            assertThat(ended.code()).as(ended.err()).isEqualTo(130);
        }
        assertThat(job.recorded().status(1)).isEqualTo(BatchStatus.STOPPING);
        assertThat(assertRestartCompletes(job).err()).contains("recovered execution 1");
        assertThat(job.wl("show", "1").out()).contains("FAILED", "OWNER_LOST");
    }

    @Test
    void stop_whileQueriesRun_cancelsThemAndRestartCompletes() throws Exception {
        ShopJob job = ShopJob.create(folder, 2);
        job.rounds(200_000);
        try (WlProcess run = WlProcess.start(folder, Map.of(), "run", ShopJob.FILE)) {
            run.awaitOut("STARTED");
            run.awaitThat("two partitions at work", () -> started(job) >= 2);
            assertThat(job.wl("stop", "1").code()).isZero();

            Outcome ended = run.await();

            assertThat(ended.code()).as(ended.err()).isEqualTo(131);
        }
        assertThat(job.recorded().status(1)).isEqualTo(BatchStatus.STOPPED);
        assertThat(job.recorded().partitions(1, "revenue")).hasSize(3).containsOnly(PartitionStatus.STOPPED);
        job.rounds(1);
        assertRestartCompletes(job);
    }

    /** One partition is complete, one at work, one not begun. */
    private WlProcess startHeldInPartition() throws Exception {
        WlProcess run = WlProcess.startUntil("partition.running", 2, mark, folder, "run", ShopJob.FILE);
        run.awaitThat("in a partition", () -> Files.exists(mark.resolve("reached")));
        return run;
    }

    private static void awaitStopping(WlProcess run, ShopJob job) throws Exception {
        run.awaitThat("STOPPING", () -> job.recorded().status(1) == BatchStatus.STOPPING);
    }

    private void letContinue() throws Exception {
        Files.createFile(mark.resolve("continue"));
    }

    private static long started(ShopJob job) {
        return job.recorded().partitions(1, "revenue").stream()
                .filter(PartitionStatus.STARTED::equals)
                .count();
    }

    private static void assertStoppedInPartition(ShopJob job) {
        assertThat(job.recorded().status(1)).isEqualTo(BatchStatus.STOPPED);
        assertThat(job.recorded().partitions(1, "revenue"))
                .isEqualTo(List.of(PartitionStatus.COMPLETED, PartitionStatus.STOPPED, PartitionStatus.STOPPED));
    }

    private static Outcome assertRestartCompletes(ShopJob job) throws Exception {
        Outcome restart = job.wl("restart", "1");
        assertThat(restart.code()).as(restart.err()).isZero();
        assertThat(job.recorded().status(2)).isEqualTo(BatchStatus.COMPLETED);
        assertThat(job.recorded().completed(2)).isEqualTo(ShopJob.PARTITIONS);
        assertThat(Files.readString(job.folder().resolve("out/report.csv"))).isEqualTo(REPORT);
        assertThat(job.result().orders()).hasSize(40).doesNotHaveDuplicates();
        assertThat(job.result().marks()).hasSize(15).doesNotHaveDuplicates();
        return restart;
    }
}
