package dev.weighlock.query.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.weighlock.query.ErrorCode;
import dev.weighlock.query.QueryException;
import dev.weighlock.query.admission.AdmissionConfig;
import dev.weighlock.query.backend.BackendSettings;
import dev.weighlock.query.backend.QueryBackend;
import dev.weighlock.query.backend.QueryHandle;
import dev.weighlock.query.backend.QueryRequest;
import dev.weighlock.query.backend.QuerySummary;
import dev.weighlock.query.device.DeviceKind;
import dev.weighlock.query.device.DeviceProfile;
import dev.weighlock.query.engine.EngineSession;
import dev.weighlock.query.engine.PlanRequest;
import dev.weighlock.query.engine.PlannedStatement;
import dev.weighlock.query.engine.QueryEngine;
import dev.weighlock.query.engine.SessionRelease;
import dev.weighlock.query.engine.SessionRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Opens the engine, and a backend on it, for one case; closes both after it. Nothing here waits for ever. */
abstract class EngineCase {
    static final long MIB = 1L << 20;
    static final long GRANT = 64 * MIB;

    @TempDir
    private Path temporary;

    final EngineUnderTest under = engineUnderTest();
    Path folder;
    Path in;
    Path out;
    Path spillRoot;
    QueryEngine engine;
    GatedEngine gated;
    QueryBackend backend;
    private int sessions;

    /** The engine that this class tests. */
    protected abstract EngineUnderTest engineUnderTest();

    /** How long an engine may take for what it has to do at last. Longer than any machine needs: it asserts no speed. */
    protected Duration patience() {
        return Duration.ofSeconds(60);
    }

    @BeforeEach
    final void open() throws IOException {
        folder = temporary.toRealPath();
        in = Files.createDirectories(folder.resolve("in"));
        out = Files.createDirectories(folder.resolve("out"));
        spillRoot = Files.createDirectories(folder.resolve("spill"));
        engine = under.open(spillRoot);
        gated = new GatedEngine(engine);
        backend = backend(gated);
    }

    private static QueryBackend backend(QueryEngine engine) {
        var device = DeviceProfile.device(0, DeviceKind.HOST)
                .limit(4 * GRANT, "test")
                .headroom(0)
                .reserve(0)
                .defaultQueryLimit(GRANT)
                .maxActive(2)
                .resolve();
        return QueryBackend.open(
                BackendSettings.of(device)
                        .withAdmission(AdmissionConfig.DEFAULT)
                        .withTempLimit(256 * MIB),
                engine);
    }

    @AfterEach
    final void close() throws Exception {
        gated.openAll();
        try {
            backend.close(patience());
        } finally {
            engine.close();
        }
    }

    PlannedStatement plan(String sql) {
        return engine.plan(new PlanRequest(sql, in, patience())).bind(Map.of());
    }

    EngineSession session() {
        return session(GRANT, 256 * MIB);
    }

    EngineSession session(long grantBytes, long tempBytes) {
        return engine.open(new SessionRequest(
                "attempt-" + ++sessions, grantBytes, List.of(in), List.of(out), ZoneOffset.UTC, tempBytes));
    }

    /** Runs a query to its end; gives the number of its rows. */
    long run(EngineSession session, String sql) {
        var planned = plan(sql);
        try (var stream = session.execute(planned)) {
            while (stream.fetch().isPresent()) {
                assertThat(stream.isComplete()).isFalse();
            }
            assertThat(stream.isComplete()).isTrue();
            return stream.rows();
        }
    }

    /** The number of rows of a query in a session of its own. */
    long runAlone(String sql) {
        var session = session();
        try {
            return run(session, sql);
        } finally {
            releaseProved(session);
        }
    }

    /** Releases a session that nothing may hold any more. */
    static void releaseProved(EngineSession session) {
        var release = session.release();
        assertThat(release).isInstanceOf(SessionRelease.Proved.class);
        assertThat(session.release()).isSameAs(release);
    }

    /** What a query fails with in a session of its own, which it does not spoil. */
    QueryException failure(String sql, long grantBytes, long tempBytes) {
        var session = session(grantBytes, tempBytes);
        try {
            return failure(() -> run(session, sql));
        } finally {
            releaseProved(session);
        }
    }

    QueryException failure(Callable<?> call) {
        var thrown = catchThrowableOfType(QueryException.class, () -> within(start(call)));
        return Objects.requireNonNull(thrown, "it did not fail");
    }

    static void assertCode(ErrorCode code, QueryException error) {
        assertThat(error.code()).as(error.getMessage()).isEqualTo(code);
    }

    QueryHandle submit(String sql) {
        return submit(request(sql));
    }

    QueryHandle submit(QueryRequest request) {
        return backend.submit(request);
    }

    QueryRequest request(String sql) {
        return QueryRequest.select(sql, Map.of())
                .reading(List.of(in))
                .writing(List.of(out))
                .relativeTo(in);
    }

    QuerySummary await(QueryHandle handle) {
        return within(start(handle::await));
    }

    /** The backend holds nothing any more. */
    void assertEmptied() {
        awaitTrue(() -> backend.device().grants().isEmpty());
        assertThat(backend.live()).isEmpty();
    }

    /** A task on a platform thread of its own. */
    static <T> FutureTask<T> start(Callable<T> call) {
        var task = new FutureTask<>(call);
        Thread.ofPlatform().daemon().start(task);
        return task;
    }

    /** The result of a task that has to end at last. */
    <T> T within(FutureTask<T> task) {
        try {
            return task.get(patience().toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            task.cancel(true);
            throw new AssertionError("it does not end", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        } catch (ExecutionException e) {
            switch (e.getCause()) {
                case RuntimeException failure -> throw failure;
                case Error failure -> throw failure;
                case null, default -> throw new AssertionError(e);
            }
        }
    }

    void awaitTrue(BooleanSupplier condition) {
        within(start(() -> {
            while (!condition.getAsBoolean()) {
                LockSupport.parkNanos(1_000_000);
            }
            return null;
        }));
    }
}
