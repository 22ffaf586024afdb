package dev.weighlock.query.backend;

import dev.weighlock.query.engine.EngineSession;
import dev.weighlock.query.engine.QueryEngine;
import dev.weighlock.query.engine.SessionRelease;
import dev.weighlock.query.engine.SessionRequest;
import dev.weighlock.query.testing.ForwardingEngine;
import dev.weighlock.query.testing.ForwardingSession;
import java.util.concurrent.CountDownLatch;

/** An engine whose sessions are let go only once {@code gate} is open. */
final class HeldRelease extends ForwardingEngine {
    private final CountDownLatch gate;

    HeldRelease(QueryEngine engine, CountDownLatch gate) {
        super(engine);
        this.gate = gate;
    }

    @Override
    public EngineSession open(SessionRequest request) {
        return new ForwardingSession(super.open(request)) {
            @Override
            public SessionRelease release() {
                try {
                    gate.await();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
                return super.release();
            }
        };
    }

    @Override
    public void close() {
        gate.countDown();
        super.close();
    }
}
