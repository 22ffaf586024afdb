package dev.weighlock.query.backend;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weighlock.query.leak.LeavesOpen;
import dev.weighlock.query.lifecycle.OpenHandles;
import dev.weighlock.query.report.CancelReason;
import dev.weighlock.query.testing.ScriptedEngine;
import dev.weighlock.query.testing.TestDevices;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A running backend names what stays open, once. */
class ForgottenHandlesTest {
    private static final long MIB = 1L << 20;

    private final ScriptedEngine engine = new ScriptedEngine();
    private final BlockingQueue<OpenHandles.Handle> named = new LinkedBlockingQueue<>();

    @Test
    void openGrantAndPermits_areEachNamedOnceWithTheirHolder() throws Exception {
        var settings = BackendSettings.of(TestDevices.host(0, 64 * MIB, 1).resolve())
                .withOpenHandleLimit(Duration.ofMillis(20));
        try (var backend = TestBackends.open(settings, engine, named::add)) {
            var query = backend.submit(QueryRequest.select("WAIT", Map.of()).label("nightly/orders"));

            var first = take(3);
            assertThat(first)
                    .extracting(OpenHandles.Handle::kind)
                    .containsExactlyInAnyOrder("OBSERVATION permit", "DEVICE permit", "grant 1 of device 0");
            assertThat(first)
                    .allSatisfy(handle -> assertThat(handle.holder())
                            .contains(query.attemptId().toString()))
                    .allSatisfy(handle -> assertThat(handle.age()).isGreaterThanOrEqualTo(Duration.ofMillis(20)))
                    .anySatisfy(handle -> assertThat(handle.holder()).contains("nightly/orders"));

            // All that is named from here on belongs to the next query: nothing of the first is named again.
            var next = backend.submit(QueryRequest.select("WAIT", Map.of()));
            assertThat(take(1)).extracting(OpenHandles.Handle::kind).containsExactly("OBSERVATION permit");
            query.cancel(CancelReason.CALLER);
            query.await();
            assertThat(take(2))
                    .allSatisfy(handle -> assertThat(handle.holder())
                            .isEqualTo(next.attemptId().toString()));
        }
        assertThat(engine.openSessions()).isZero();
    }

    @Test
    @LeavesOpen("the engine never lets go of its session")
    void backendThatCannotClose_saysWhoHoldsWhat() throws Exception {
        var settings = BackendSettings.of(TestDevices.host(0, 64 * MIB, 1).resolve());
        var backend = TestBackends.open(settings, engine, named::add);
        var kept = backend.submit(QueryRequest.select("KEEP", Map.of()));
        assertThat(kept.rows().toList()).hasSize(1);
        kept.await();

        var report = backend.close(Duration.ofMillis(1));

        assertThat(report.isComplete()).isFalse();
        assertThat(report.held()).extracting(OpenHandles.Handle::kind).contains("DEVICE permit", "grant 1 of device 0");
        assertThat(engine.openSessions()).isEqualTo(1);
    }

    private List<OpenHandles.Handle> take(int count) throws InterruptedException {
        var taken = new ArrayList<OpenHandles.Handle>();
        while (taken.size() < count) {
            var next = named.poll(30, TimeUnit.SECONDS);
            assertThat(next).as("named so far: %s", taken).isNotNull();
            taken.add(next);
        }
        return taken;
    }
}
