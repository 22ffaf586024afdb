package dev.weighlock.bench;

import dev.weighlock.query.backend.QueryHandle;
import dev.weighlock.query.backend.QueryRequest;
import dev.weighlock.query.engine.EngineSession;
import dev.weighlock.query.engine.PlannedStatement;
import dev.weighlock.query.engine.QueryEngine;
import dev.weighlock.query.engine.ResultStream;
import dev.weighlock.query.engine.RowBatch;
import dev.weighlock.query.engine.SessionRequest;
import dev.weighlock.query.report.CancelReason;
import dev.weighlock.query.report.OutcomeKind;
import dev.weighlock.query.testing.ForwardingEngine;
import dev.weighlock.query.testing.ForwardingSession;
import dev.weighlock.query.testing.ForwardingStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import org.duckdb.DuckDBConnection;

/**
 * Q6: from the cancel of a running query until the engine's call returned and until the sealed report, beside
 * {@code Statement.cancel} on the driver alone until its call returned.
 */
public final class CancelBench {
    private static final String ENDLESS =
            "SELECT count(*) FROM range(10000000) a, range(10000000) b WHERE a.range + b.range = -1";
    private static final long GRANT = 64 * OpenRuntime.MIB;
    private static final int THREADS = Runtime.getRuntime().availableProcessors();
    private static final long RUNNING_NANOS = 20_000_000;
    private static final int WARM_UP = 20;

    private final Comparison returned =
            new Comparison("Q6", "cancel -> execute returned", "ms", "runtime", "Statement.cancel");
    private final Comparison reported = new Comparison("Q6", "cancel -> report", "ms", "runtime", "Statement.cancel");

    private CancelBench() {}

    /** How many pairs; 200 without. */
    public static void main(String[] args) throws Exception {
        var folder = Files.createTempDirectory("weighlock-bench-");
        try {
            new CancelBench().run(folder, args.length > 0 ? Integer.parseInt(args[0]) : 200);
        } finally {
            Folders.delete(folder);
        }
    }

    private void run(Path folder, int pairs) throws Exception {
        var watched = new Watched[1];
        var limits = new OpenRuntime.Limits(1024 * OpenRuntime.MIB, 1, THREADS, 8);
        try (var runtime = OpenRuntime.open(folder, limits, engine -> watched[0] = new Watched(engine));
                var connection = PlainDuckDb.open(
                        PlainDuckDb.engineBytes(GRANT),
                        THREADS,
                        folder.resolve("plain").toString())) {
            for (int pair = -WARM_UP; pair < pairs; pair++) {
                var ours = ours(runtime, watched[0]);
                double driver = driver(connection);
                if (pair >= 0) {
                    returned.add(ours.returnedMillis(), driver);
                    reported.add(ours.reportedMillis(), driver);
                }
            }
        }
        Comparison.print(List.of(returned, reported));
    }

    private record Cancelled(double returnedMillis, double reportedMillis) {}

    private static Cancelled ours(OpenRuntime runtime, Watched engine) throws Exception {
        var call = engine.next();
        QueryHandle handle =
                runtime.backend.submit(QueryRequest.select(ENDLESS, Map.of()).cap(GRANT));
        call.entered.await();
        LockSupport.parkNanos(RUNNING_NANOS);
        long start = System.nanoTime();
        handle.cancel(CancelReason.CALLER);
        if (handle.await().outcome() != OutcomeKind.CANCELLED) {
            throw new IllegalStateException(
                    "not cancelled but " + handle.await().outcome());
        }
        long report = System.nanoTime();
        return new Cancelled((call.returnedNanos() - start) / 1e6, (report - start) / 1e6);
    }

    private static double driver(DuckDBConnection connection) throws Exception {
        var entered = new CompletableFuture<Statement>();
        var returnedAt = new CompletableFuture<Long>();
        Thread.ofPlatform().daemon().start(() -> {
            try (var statement = connection.createStatement()) {
                entered.complete(statement);
                statement.executeQuery(ENDLESS);
                returnedAt.completeExceptionally(new IllegalStateException("an endless query ended"));
            } catch (SQLException cancelled) {
                returnedAt.complete(System.nanoTime());
            }
        });
        var statement = entered.get();
        LockSupport.parkNanos(RUNNING_NANOS);
        long start = System.nanoTime();
        statement.cancel();
        return (returnedAt.get() - start) / 1e6;
    }

    /** One statement inside the engine, from entering it to its first row or its end. */
    private static final class Call {
        final CountDownLatch entered = new CountDownLatch(1);
        private final CountDownLatch returned = new CountDownLatch(1);
        private volatile long returnedNanos;

        void returns() {
            if (returned.getCount() > 0) {
                returnedNanos = System.nanoTime();
                returned.countDown();
            }
        }

        long returnedNanos() throws InterruptedException {
            returned.await();
            return returnedNanos;
        }
    }

    /** Tells of the next statement. */
    private static final class Watched extends ForwardingEngine {
        private volatile Call call = new Call();

        Watched(QueryEngine engine) {
            super(engine);
        }

        Call next() {
            var next = new Call();
            call = next;
            return next;
        }

        @Override
        public EngineSession open(SessionRequest request) {
            var current = call;
            return new ForwardingSession(super.open(request)) {
                @Override
                public ResultStream execute(PlannedStatement statement) {
                    current.entered.countDown();
                    try {
                        return told(super.execute(statement), current);
                    } catch (RuntimeException cancelled) {
                        current.returns();
                        throw cancelled;
                    }
                }
            };
        }

        private static ResultStream told(ResultStream stream, Call call) {
            return new ForwardingStream(stream) {
                @Override
                public Optional<RowBatch> fetch() {
                    try {
                        return super.fetch();
                    } finally {
                        call.returns();
                    }
                }
            };
        }
    }
}
