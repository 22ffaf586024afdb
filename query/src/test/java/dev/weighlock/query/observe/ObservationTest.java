package dev.weighlock.query.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weighlock.query.AttemptId;
import dev.weighlock.query.ErrorCode;
import dev.weighlock.query.ErrorStatus;
import dev.weighlock.query.report.AttemptReport;
import dev.weighlock.query.report.CleanupPhase;
import dev.weighlock.query.report.ObservationCompleteness;
import dev.weighlock.query.report.Outcome;
import dev.weighlock.query.report.ReportSamples;
import dev.weighlock.query.testing.ManualClock;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ObservationTest {
    private final ManualClock clock = new ManualClock();

    @Test
    void recordCap_losesTheRestAndSaysWhat() {
        var observation = observation(ObservationConfig.bounded(2, 1 << 20));
        var handle = observation.handle();
        assertThat(handle.recordMemory(1, 0)).isTrue();
        assertThat(handle.recordProgress(0.5)).isTrue();
        assertThat(handle.recordProgress(0.6)).isFalse();
        assertThat(handle.recordSourceRead("orders.parquet", 10, 100)).isFalse();

        var footer = seal(observation).footer();

        assertThat(footer.losses())
                .containsExactly(
                        new Loss(EventClass.BOUNDARY, LossReason.RECORD_CAP, 1),
                        new Loss(EventClass.SOURCE_READ, LossReason.RECORD_CAP, 1),
                        new Loss(EventClass.PROGRESS, LossReason.RECORD_CAP, 1));
        assertThat(footer.completeness()).isEqualTo(new ObservationCompleteness(3, 2, 128, true, false));
    }

    @Test
    void byteCap_countsTheText() {
        var observation = observation(ObservationConfig.bounded(100, 64 + 20 + 64));
        var handle = observation.handle();
        assertThat(handle.recordSourceRead("ten chars!", 1, 1)).isTrue();
        assertThat(handle.recordSourceRead("x", 1, 1)).isFalse();
        assertThat(handle.recordProgress(1)).isTrue();

        var footer = seal(observation).footer();
        assertThat(footer.losses())
                .containsExactly(
                        new Loss(EventClass.BOUNDARY, LossReason.BYTE_CAP, 1),
                        new Loss(EventClass.SOURCE_READ, LossReason.BYTE_CAP, 1));
        assertThat(footer.completeness().retainedBytes()).isEqualTo(148);
    }

    @Test
    void clockThatRunsBack_degradesAndKeepsTheOrder() {
        var observation = observation(ObservationConfig.nativeExecution());
        clock.setNanos(10);
        observation.handle().recordProgress(0.1);
        clock.setNanos(5);
        observation.handle().recordProgress(0.2);

        var sealed = seal(observation);
        assertThat(sealed.footer().completeness().degraded()).isTrue();
        assertThat(sealed.events()).extracting(ObservationEvent::atNanos).containsExactly(10L, 10L, 10L);
        assertThat(sealed.events()).extracting(ObservationEvent::sequence).containsExactly(1L, 2L, 3L);
    }

    @Test
    void clockThatThrows_losesTheEventAndDegrades() {
        var observation = new Observation(manifest(ObservationConfig.nativeExecution()), () -> {
            throw new IllegalStateException("no time");
        });
        assertThat(observation.handle().recordProgress(0.1)).isFalse();
        var footer = seal(observation).footer();
        assertThat(footer.completeness().degraded()).isTrue();
        assertThat(footer.completeness().truncated()).isFalse();
        assertThat(footer.losses()).extracting(Loss::reason).containsOnly(LossReason.RECORDER_FAULT);
    }

    @Test
    void seal_isFinal_andDeliversOnce() {
        var observation = observation(ObservationConfig.nativeExecution());
        List<SealedObservation> delivered = new ArrayList<>();
        observation.registerSealObserver(_ -> {
            throw new IllegalStateException("a broken observer");
        });
        observation.registerSealObserver(delivered::add);
        observation.beginCleanup();
        observation.beginCleanup();

        var delivery = observation.seal(Outcome.SUCCEEDED, completeness -> ReportSamples.bare());
        assertThat(delivered).isEmpty();
        delivery.run();
        delivery.run();
        observation.seal(Outcome.PANICKED, completeness -> ReportSamples.full()).run();

        assertThat(delivered).hasSize(1);
        var sealed = delivered.getFirst();
        assertThat(sealed.footer().outcome()).isEqualTo(Outcome.SUCCEEDED);
        assertThat(sealed.events())
                .extracting(ObservationEvent::payload)
                .containsExactly(
                        new EventPayload.Boundary(BoundaryKind.CLEANUP_STARTED),
                        new EventPayload.Boundary(BoundaryKind.SUCCEEDED));
        assertThat(observation.handle().recordProgress(1)).isFalse();
        observation.registerSealObserver(delivered::add);
        assertThat(delivered).hasSize(2).last().isSameAs(sealed);
    }

    @Test
    void secondSealer_waitsForTheFirst() throws Exception {
        var observation = observation(ObservationConfig.nativeExecution());
        var building = new CountDownLatch(1);
        var mayEnd = new CountDownLatch(1);
        var first = CompletableFuture.runAsync(() -> observation.seal(Outcome.SUCCEEDED, completeness -> {
            building.countDown();
            await(mayEnd);
            return ReportSamples.bare();
        }));
        await(building);
        var second = CompletableFuture.runAsync(
                () -> observation.seal(Outcome.DROPPED, completeness -> ReportSamples.full()));
        assertThatThrownBy(() -> second.get(20, TimeUnit.MILLISECONDS)).isNotNull();
        mayEnd.countDown();
        first.get(30, TimeUnit.SECONDS);
        second.get(30, TimeUnit.SECONDS);
        assertThat(observation.sealed().orElseThrow().footer().outcome()).isEqualTo(Outcome.SUCCEEDED);
    }

    @Test
    void sealInsideItsOwnSeal_isRefusedAndLeavesItUnsealed() {
        var observation = observation(ObservationConfig.nativeExecution());
        assertThatThrownBy(() -> observation.seal(Outcome.SUCCEEDED, completeness -> {
                    observation.seal(Outcome.SUCCEEDED, again -> ReportSamples.bare());
                    return ReportSamples.bare();
                }))
                .isInstanceOf(IllegalStateException.class);
        assertThat(observation.sealed()).isEmpty();
    }

    @Test
    void jsonl_ofEveryKindOfRow_readsBackEqual() throws IOException {
        var observation = observation(ObservationConfig.bounded(6, 1 << 20));
        var handle = observation.handle();
        handle.setTopology(List.of(new TopologyNode(1, null, "PROJECTION"), new TopologyNode(2, 1, "SCAN \"a\"")));
        observation.recordBoundary(BoundaryKind.PLANNING_STARTED, 3);
        handle.recordMemory(5, 6);
        handle.recordProgress(0.25);
        handle.recordSourceRead("a b\n", 1, 2);
        handle.record(new EventPayload.CleanupFailed(
                CleanupPhase.ENGINE_SESSION, ErrorCode.CLEANUP_FAILED, ErrorStatus.PERMANENT));
        handle.recordProgress(0.5);
        handle.recordProgress(0.75);
        var sealed = seal(observation, ReportSamples.full());

        var out = new StringBuilder();
        ObservationJsonl.write(sealed, out);
        var lines = out.toString().lines().toList();
        assertThat(lines).hasSize(1 + 2 + 6 + 1);
        var read = ObservationJsonl.read(lines);
        assertThat(read.manifest()).isEqualTo(sealed.manifest());
        assertThat(read.topology()).isEqualTo(sealed.topology());
        assertThat(read.events()).isEqualTo(sealed.events());
        assertThat(read.footer().losses()).isEqualTo(sealed.footer().losses());
        assertThat(read.footer().report()).isEqualTo(ReportSamples.full());
    }

    @Test
    void jsonl_cutShortOrShuffled_isRefused() throws IOException {
        var out = new StringBuilder();
        ObservationJsonl.write(seal(observation(ObservationConfig.nativeExecution())), out);
        var lines = out.toString().lines().toList();
        assertThatThrownBy(() -> ObservationJsonl.read(lines.subList(0, lines.size() - 1)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> ObservationJsonl.read(lines.reversed())).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> ObservationJsonl.read(List.of())).isInstanceOf(IllegalArgumentException.class);
    }

    private Observation observation(ObservationConfig config) {
        return new Observation(manifest(config), clock);
    }

    private static ObservationManifest manifest(ObservationConfig config) {
        return new ObservationManifest(new AttemptId(1, 2), "", null, config, null);
    }

    private static SealedObservation seal(Observation observation) {
        return seal(observation, ReportSamples.bare());
    }

    private static SealedObservation seal(Observation observation, AttemptReport report) {
        observation.seal(Outcome.SUCCEEDED, completeness -> report).run();
        return observation.sealed().orElseThrow();
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException interrupted) {
            throw new AssertionError(interrupted);
        }
    }
}
