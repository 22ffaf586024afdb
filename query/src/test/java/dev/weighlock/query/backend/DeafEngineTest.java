package dev.weighlock.query.backend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weighlock.query.ErrorCode;
import dev.weighlock.query.QueryException;
import dev.weighlock.query.admission.AdmissionConfig;
import dev.weighlock.query.device.GrantState;
import dev.weighlock.query.leak.LeavesOpen;
import dev.weighlock.query.lifecycle.ClosingSlice;
import dev.weighlock.query.lifecycle.OpenHandles;
import dev.weighlock.query.report.CancelReason;
import dev.weighlock.query.report.CapacityDisposition;
import dev.weighlock.query.report.OutcomeKind;
import dev.weighlock.query.testing.ScriptedEngine;
import dev.weighlock.query.testing.TestDevices;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An engine that does not listen keeps its grant until it lets go, and nobody waits for it before. */
@Timeout(300)
class DeafEngineTest {
    private static final long MIB = 1L << 20;

    private final ScriptedEngine engine = new ScriptedEngine();

    private QueryBackend open(Duration cleaningLimit) {
        var device = TestDevices.host(0, 64 * MIB, 1).resolve();
        return TestBackends.open(
                BackendSettings.of(device).withAdmission(AdmissionConfig.DEFAULT.withCleaningLimit(cleaningLimit)),
                engine);
    }

    private QueryHandle deaf(QueryBackend backend) {
        var handle = backend.submit(QueryRequest.select("DEAF", Map.of()).label("nightly"));
        while (engine.running() == 0) {
            Thread.onSpinWait();
        }
        return handle;
    }

    @AfterEach
    void close() {
        engine.close();
    }

    @Test
    void cancel_ofDeafWork_decidesAtOnceAndCleansUntilTheEngineLetsGo() throws Exception {
        var backend = open(Duration.ofMinutes(5));
        var handle = deaf(backend);
        handle.cancel(CancelReason.CALLER);

        assertThatThrownBy(() -> handle.rows().next())
                .isInstanceOfSatisfying(
                        QueryException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CANCELLED));
        assertThat(handle.state()).isInstanceOf(QueryState.Cleaning.class);
        assertThat(handle.summary()).isEmpty();
        var grant = backend.device().grants().getFirst();
        assertThat(grant.state()).isEqualTo(GrantState.CLEANING);
        assertThat(grant.cleaning().orElseThrow().reason()).contains("letting go");
        var waiting = backend.submit(QueryRequest.select("ROWS 1", Map.of()));
        var closing = backend.close(Duration.ofMillis(50));
        assertThat(closing.isComplete()).isFalse();
        assertThat(closing.held())
                .extracting(OpenHandles.Handle::holder)
                .anySatisfy(
                        holder -> assertThat(holder).contains(handle.attemptId().toString()));
        assertThat(waiting.await().outcome()).isEqualTo(OutcomeKind.CANCELLED);

        engine.proceed();
        assertThat(handle.await().outcome()).isEqualTo(OutcomeKind.CANCELLED);
        assertThat(handle.await().report().capacity().disposition()).isEqualTo(CapacityDisposition.RELEASED);
        assertThat(backend.close(Duration.ofSeconds(30)).isComplete()).isTrue();
        assertThat(backend.device().grants()).isEmpty();
    }

    @Test
    void overdueCleaning_sealsTheReportAndKeepsTheBytesUntilTheEngineLetsGo() throws Exception {
        var backend = open(Duration.ofMillis(50));
        var handle = deaf(backend);
        handle.cancel(CancelReason.CALLER);

        var report = handle.await().report();
        assertThat(report.outcome().kind()).isEqualTo(OutcomeKind.CANCELLED);
        assertThat(report.capacity().disposition()).isEqualTo(CapacityDisposition.RETAINED_QUARANTINE);
        assertThat(report.cleanup().failureCount()).isEqualTo(1);
        assertThat(backend.device().grants().getFirst().state()).isEqualTo(GrantState.CLEANING);
        assertThat(engine.openSessions()).isEqualTo(1);

        engine.proceed();
        while (!backend.device().grants().isEmpty()) {
            Thread.onSpinWait();
        }
        var next = backend.submit(QueryRequest.select("ROWS 1", Map.of()));
        assertThat(next.rows().toList()).hasSize(1);
        backend.close();
        assertThat(engine.openSessions()).isZero();
    }

    @Test
    void closeOrQuarantine_ofDeafWork_sealsItAndNamesWhatIsHeld() throws Exception {
        var backend = open(Duration.ofMinutes(5));
        var handle = deaf(backend);
        var waiting = backend.submit(QueryRequest.select("ROWS 1", Map.of()));

        var closing = backend.closeOrQuarantine(Duration.ofMillis(300));

        assertThat(closing.isComplete()).isFalse();
        assertThat(closing.held())
                .extracting(OpenHandles.Handle::holder)
                .anySatisfy(
                        holder -> assertThat(holder).contains(handle.attemptId().toString()));
        var report = handle.await().report();
        assertThat(report.outcome().kind()).isEqualTo(OutcomeKind.CANCELLED);
        assertThat(report.capacity().disposition()).isEqualTo(CapacityDisposition.RETAINED_QUARANTINE);
        assertThat(waiting.await().report().capacity().disposition()).isEqualTo(CapacityDisposition.NOT_ADMITTED);
        assertThat(engine.openSessions()).isEqualTo(1);

        engine.proceed();
        assertThat(backend.closeOrQuarantine(Duration.ofSeconds(30)).isComplete())
                .isTrue();
        assertThat(backend.openHandles()).isEmpty();
    }

    @Test
    void querySucceededWhenTheCloseGaveUp_isRecordedAsSuccessOnceTheEngineLetsGo() throws Exception {
        var gate = new CountDownLatch(1);
        var device = TestDevices.host(0, 64 * MIB, 1).resolve();
        var backend = TestBackends.open(BackendSettings.of(device), new HeldRelease(engine, gate));
        var handle = backend.submit(QueryRequest.select("ROWS 1", Map.of()));
        assertThat(handle.rows().toList()).hasSize(1);
        while (!(handle.state() instanceof QueryState.Cleaning)) {
            Thread.onSpinWait();
        }

        var stuck = backend.close(Duration.ofMillis(50));
        while (!stuck.stuckAt().equals(Optional.of(ClosingSlice.DEVICE_PERMITS_ZERO))) {
            stuck = backend.close(Duration.ofMillis(50));
        }
        assertThat(stuck.late()).isEmpty();
        assertThat(handle.summary()).isEmpty();

        gate.countDown();

        var report = handle.await().report();
        assertThat(report.outcome().kind()).isEqualTo(OutcomeKind.SUCCEEDED);
        assertThat(report.capacity().disposition()).isEqualTo(CapacityDisposition.RELEASED);
        var complete = backend.close(Duration.ofSeconds(30));
        assertThat(complete.isComplete()).isTrue();
        assertThat(complete.late()).contains(ClosingSlice.DEVICE_PERMITS_ZERO);
        assertThat(backend.openHandles()).isEmpty();
    }

    @Test
    @LeavesOpen("the engine never lets go of its session")
    void sessionThatIsNeverLetGo_staysChargedAndIsNamed() throws Exception {
        var backend = open(Duration.ofMinutes(5));
        var handle = backend.submit(QueryRequest.select("KEEP", Map.of()));
        assertThat(handle.rows().toList()).hasSize(1);
        var report = handle.await().report();
        assertThat(report.outcome().kind()).isEqualTo(OutcomeKind.SUCCEEDED);
        assertThat(report.capacity().disposition()).isEqualTo(CapacityDisposition.RETAINED_QUARANTINE);
        assertThat(backend.device().grants()).hasSize(1);
        var closing = backend.close(Duration.ofMillis(50));
        assertThat(closing.held()).extracting(OpenHandles.Handle::kind).contains("grant 1 of device 0");
    }
}
