package dev.weighlock.query.backend;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weighlock.query.ErrorCode;
import dev.weighlock.query.leak.LeavesOpen;
import dev.weighlock.query.report.CapacityDisposition;
import dev.weighlock.query.report.FaultEvidence;
import dev.weighlock.query.report.HealthTransition;
import dev.weighlock.query.report.OutcomeKind;
import dev.weighlock.query.report.RetryAdvice;
import dev.weighlock.query.testing.ScriptedEngine;
import dev.weighlock.query.testing.TestDevices;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A device that fails for good is closed before the report of the attempt that met it can be read. */
@Timeout(300)
class DeviceFaultTest {
    private static final long MIB = 1L << 20;

    private final ScriptedEngine engine = new ScriptedEngine();
    private QueryBackend backend;

    @BeforeEach
    void open() {
        var device = TestDevices.host(0, 128 * MIB, 2).resolve();
        backend = TestBackends.open(BackendSettings.of(device), engine);
    }

    @AfterEach
    void close() throws InterruptedException {
        backend.close(Duration.ofMillis(50));
        engine.close();
    }

    private QuerySummary run(String script) throws InterruptedException {
        return backend.submit(QueryRequest.select(script, Map.of()).cap(64 * MIB))
                .await();
    }

    @Test
    @LeavesOpen("bytes on a failed device are never given back")
    void localFault_quarantinesTheDeviceBeforeItsReportIsOut() throws Exception {
        var ended = run("FAULT DEVICE_LOCAL");

        assertThat(backend.device().snapshot().health().isOpen()).isFalse();
        var report = ended.report();
        assertThat(report.outcome().kind()).isEqualTo(OutcomeKind.FAILED);
        assertThat(Objects.requireNonNull(ended.error()).code()).isEqualTo(ErrorCode.DEVICE_FAULT);
        assertThat(report.capacity().disposition()).isEqualTo(CapacityDisposition.RETAINED_QUARANTINE);
        assertThat(report.capacity().healthTransition()).isEqualTo(HealthTransition.DEVICE_QUARANTINED);
        assertThat(Objects.requireNonNull(report.capacity().faultEvidence()).isolation())
                .isEqualTo(FaultEvidence.Isolation.DEVICE_LOCAL);
        assertThat(backend.device().grants()).hasSize(1);
    }

    @Test
    @LeavesOpen("bytes on a failed device are never given back")
    void faultOfUnknownIsolation_makesTheBackendUnhealthyAndEndsWhoeverWaits() throws Exception {
        var running = backend.submit(QueryRequest.select("WAIT", Map.of()).cap(64 * MIB));
        while (engine.running() == 0) {
            Thread.onSpinWait();
        }
        var faulted =
                backend.submit(QueryRequest.select("FAULT UNKNOWN", Map.of()).cap(64 * MIB));
        var waiting = backend.submit(QueryRequest.select("ROWS 1", Map.of()).cap(128 * MIB));

        var report = faulted.await().report();
        assertThat(report.capacity().healthTransition()).isEqualTo(HealthTransition.BACKEND_UNHEALTHY);
        assertThat(report.retryAdvice()).isEqualTo(RetryAdvice.RECOVER_BACKEND);
        assertThat(waiting.await().outcome()).isEqualTo(OutcomeKind.FAILED);
        assertThat(run("ROWS 1").outcome()).isEqualTo(OutcomeKind.FAILED);

        engine.proceed();
        assertThat(running.rows().toList()).isEmpty();
        assertThat(running.await().report().capacity().disposition()).isEqualTo(CapacityDisposition.RELEASED);
    }

    @Test
    void memoryThatRanOut_quarantinesNothing() throws Exception {
        var ended = run("NEEDS_MEMORY");

        assertThat(ended.report().capacity().healthTransition()).isEqualTo(HealthTransition.HEALTHY_REUSE);
        assertThat(ended.report().capacity().disposition()).isEqualTo(CapacityDisposition.RELEASED);
        var next = backend.submit(QueryRequest.select("ROWS 1", Map.of()));
        assertThat(next.rows().toList()).hasSize(1);
        assertThat(next.await().outcome()).isEqualTo(OutcomeKind.SUCCEEDED);
    }
}
