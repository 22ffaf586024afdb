package dev.weighlock.query.backend;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weighlock.query.QueryException;
import dev.weighlock.query.device.DeviceProfile;
import dev.weighlock.query.report.CancelReason;
import dev.weighlock.query.report.CapacityDisposition;
import dev.weighlock.query.report.OutcomeKind;
import dev.weighlock.query.testing.ScriptedEngine;
import dev.weighlock.query.testing.TestDevices;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Ten thousand cancels at any moment: each query ends, as cancelled or as it had ended, and leaves nothing. */
@Timeout(600)
class CancelStormTest {
    private static final int WORKERS = 8;
    private static final int EACH = 1_250;
    private static final long SEED = 20261201;
    private static final long MIB = 1L << 20;
    private static final List<String> SCRIPTS = List.of("WAIT", "STREAM", "ROWS 5000", "SPILL 500", "BROKEN 200");
    private static final DeviceProfile DEVICE =
            TestDevices.host(0, 256 * MIB, 4).defaultQueryLimit(64 * MIB).resolve();

    @TempDir
    private Path folder;

    private final AtomicInteger cancelled = new AtomicInteger();
    private final AtomicInteger ended = new AtomicInteger();

    @Test
    void tenThousandCancels_leaveNothing() throws Exception {
        storm(Long.getLong("weighlock.seed", SEED));
    }

    @Tag("long")
    @Test
    void tenThousandCancels_withAFreshSeed_leaveNothing() throws Exception {
        storm(System.nanoTime());
    }

    private void storm(long seed) throws Exception {
        System.out.println("CancelStormTest seed " + seed);
        var engine = new ScriptedEngine(folder);
        var backend = TestBackends.open(BackendSettings.of(DEVICE), engine);
        try (var threads = Executors.newFixedThreadPool(WORKERS)) {
            var workers = new ArrayList<Callable<Void>>();
            for (var worker = 0; worker < WORKERS; worker++) {
                var random = new Random(seed + worker);
                workers.add(() -> {
                    for (var i = 0; i < EACH; i++) {
                        cancelOne(backend, random);
                    }
                    return null;
                });
            }
            for (var done : threads.invokeAll(workers)) {
                done.get();
            }
        }
        backend.close();
        assertThat(cancelled.get() + ended.get()).isEqualTo(WORKERS * EACH);
        assertThat(cancelled.get()).isPositive();
        assertThat(backend.live()).isEmpty();
        assertThat(backend.device().grants()).isEmpty();
        assertThat(backend.device().snapshot().active()).isZero();
        assertThat(engine.openSessions()).isZero();
        assertThat(engine.running()).isZero();
        try (var left = Files.list(folder)) {
            assertThat(left).isEmpty();
        }
    }

    /** A moment between submitting and the end, or after it. */
    private void cancelOne(QueryBackend backend, Random random) throws InterruptedException {
        var handle = backend.submit(QueryRequest.select(SCRIPTS.get(random.nextInt(SCRIPTS.size())), Map.of()));
        var reads = random.nextInt(4) > 0;
        try {
            for (var i = random.nextInt(50); reads && i > 0; i--) {
                if (i % 7 == 3 && random.nextInt(5) == 0) {
                    handle.cancel(CancelReason.CALLER);
                }
                if (isWaiting(handle) || handle.rows().next().isEmpty()) {
                    break;
                }
            }
            for (var i = random.nextInt(2_000); i > 0; i--) {
                Thread.onSpinWait();
            }
        } catch (QueryException expected) {
            assertThat(expected.code()).isNotNull();
        }
        handle.cancel(CancelReason.CALLER);
        requireEnded(handle);
    }

    private static boolean isWaiting(QueryHandle handle) {
        return handle.request().work().sql().orElseThrow().sql().equals("WAIT");
    }

    private void requireEnded(QueryHandle handle) throws InterruptedException {
        var summary = handle.await();
        if (summary.outcome() == OutcomeKind.CANCELLED) {
            cancelled.incrementAndGet();
        } else {
            ended.incrementAndGet();
            assertThat(handle.request().work().sql().orElseThrow().sql()).isNotIn("WAIT", "STREAM");
        }
        assertThat(summary.report().capacity().disposition())
                .isIn(CapacityDisposition.RELEASED, CapacityDisposition.NOT_ADMITTED);
    }
}
