package dev.weighlock.query.testing;

import dev.weighlock.query.engine.EngineSession;
import dev.weighlock.query.engine.PlanRequest;
import dev.weighlock.query.engine.QueryEngine;
import dev.weighlock.query.engine.QueryPlan;
import dev.weighlock.query.engine.SessionRequest;

/** As the engine behind it, but for what a subclass changes. Closing it closes that one. */
public abstract class ForwardingEngine implements QueryEngine {
    private final QueryEngine engine;

    protected ForwardingEngine(QueryEngine engine) {
        this.engine = engine;
    }

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
        return engine.open(request);
    }

    @Override
    public void close() {
        engine.close();
    }
}
