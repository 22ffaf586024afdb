package dev.weighlock.query.backend;

import dev.weighlock.query.engine.EngineSession;
import dev.weighlock.query.engine.FileOutput;
import dev.weighlock.query.engine.FileResult;
import dev.weighlock.query.engine.PlanRequest;
import dev.weighlock.query.engine.PlannedStatement;
import dev.weighlock.query.engine.QueryEngine;
import dev.weighlock.query.engine.QueryPlan;
import dev.weighlock.query.engine.ResultStream;
import dev.weighlock.query.engine.RowSource;
import dev.weighlock.query.engine.SessionRelease;
import dev.weighlock.query.engine.SessionRequest;
import dev.weighlock.query.engine.SessionUsage;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.CountDownLatch;

/** An engine as the one behind it, whose sessions are let go only once {@code gate} is open. */
record HeldRelease(QueryEngine engine, CountDownLatch gate) implements QueryEngine {
    @Override
    public String name() {
        return engine.name();
    }

    @Override
    public QueryPlan plan(PlanRequest request) {
        return engine.plan(request);
    }

    @Override
    public EngineSession open(SessionRequest request) {
        return new Held(engine.open(request), gate);
    }

    @Override
    public void close() {
        gate.countDown();
        engine.close();
    }

    private record Held(EngineSession session, CountDownLatch gate) implements EngineSession {
        @Override
        public ResultStream execute(PlannedStatement statement) {
            return session.execute(statement);
        }

        @Override
        public FileResult executeToFile(PlannedStatement statement, FileOutput output, Path temporary) {
            return session.executeToFile(statement, output, temporary);
        }

        @Override
        public FileResult importRows(RowSource rows, FileOutput output, Path temporary) {
            return session.importRows(rows, output, temporary);
        }

        @Override
        public void cancel() {
            session.cancel();
        }

        @Override
        public OptionalDouble progress() {
            return session.progress();
        }

        @Override
        public Optional<SessionUsage> usage() {
            return session.usage();
        }

        @Override
        public SessionRelease release() {
            try {
                gate.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            return session.release();
        }
    }
}
