package dev.weighlock.query.testkit;

import dev.weighlock.query.engine.EngineSession;
import dev.weighlock.query.engine.FileOutput;
import dev.weighlock.query.engine.FileResult;
import dev.weighlock.query.engine.PlanRequest;
import dev.weighlock.query.engine.PlannedStatement;
import dev.weighlock.query.engine.QueryEngine;
import dev.weighlock.query.engine.QueryPlan;
import dev.weighlock.query.engine.ResultStream;
import dev.weighlock.query.engine.RowBatch;
import dev.weighlock.query.engine.RowSource;
import dev.weighlock.query.engine.SessionRelease;
import dev.weighlock.query.engine.SessionRequest;
import dev.weighlock.query.testing.ForwardingEngine;
import dev.weighlock.query.testing.ForwardingSession;
import dev.weighlock.query.testing.ForwardingStream;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** The engine under test, whose callers a test holds just before they enter a phase. Closing it closes nothing. */
final class GatedEngine extends ForwardingEngine {
    /** Holds the next caller that comes to a phase, and all after it, until it is opened. */
    static final class Gate {
        private final CountDownLatch reached = new CountDownLatch(1);
        private final CountDownLatch open = new CountDownLatch(1);

        void awaitReached() throws InterruptedException {
            reached.await();
        }

        void open() {
            open.countDown();
        }

        private void pass() {
            reached.countDown();
            try {
                open.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private final Map<Phase, Gate> gates = new EnumMap<>(Phase.class);
    private final AtomicInteger sessions = new AtomicInteger();

    GatedEngine(QueryEngine engine) {
        super(engine);
    }

    /** Set before the query is submitted. */
    synchronized Gate gate(Phase phase) {
        return gates.computeIfAbsent(phase, _ -> new Gate());
    }

    synchronized void openAll() {
        gates.values().forEach(Gate::open);
        gates.clear();
    }

    /** Sessions asked for so far. */
    int sessions() {
        return sessions.get();
    }

    private void pass(Phase phase) {
        @Nullable Gate gate;
        synchronized (this) {
            gate = gates.get(phase);
        }
        if (gate != null) {
            gate.pass();
        }
    }

    @Override
    public QueryPlan plan(PlanRequest request) {
        pass(Phase.PLANNING);
        return super.plan(request);
    }

    @Override
    public EngineSession open(SessionRequest request) {
        sessions.incrementAndGet();
        pass(Phase.OPENING);
        return new GatedSession(super.open(request));
    }

    @Override
    public void close() {
        openAll();
    }

    private final class GatedSession extends ForwardingSession {
        GatedSession(EngineSession session) {
            super(session);
        }

        @Override
        public ResultStream execute(PlannedStatement statement) {
            pass(Phase.EXECUTING);
            return new GatedStream(super.execute(statement));
        }

        @Override
        public FileResult executeToFile(PlannedStatement statement, FileOutput output, Path temporary) {
            pass(Phase.EXECUTING);
            return super.executeToFile(statement, output, temporary);
        }

        @Override
        public FileResult importRows(RowSource rows, FileOutput output, Path temporary) {
            pass(Phase.EXECUTING);
            return super.importRows(rows, output, temporary);
        }

        @Override
        public SessionRelease release() {
            pass(Phase.RELEASING);
            return super.release();
        }
    }

    private final class GatedStream extends ForwardingStream {
        GatedStream(ResultStream stream) {
            super(stream);
        }

        @Override
        public Optional<RowBatch> fetch() {
            pass(Phase.FETCHING);
            return super.fetch();
        }
    }
}
