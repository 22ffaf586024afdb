package dev.weighlock.duckdb;

import dev.weighlock.query.engine.EngineSession;
import dev.weighlock.query.engine.PlanRequest;
import dev.weighlock.query.engine.QueryEngine;
import dev.weighlock.query.engine.QueryPlan;
import dev.weighlock.query.engine.SessionRequest;
import dev.weighlock.query.engine.StatementPlanner;

/**
 * DuckDB inside this process. Every session has an instance of its own, held to its grant and locked down. An instance
 * that only read, and is proved to be empty, waits for the next session of its class; every other is destroyed with its
 * session. Planning happens in a small instance apart.
 *
 * <p>Thread-safe. Whoever opened it closes it, after the backend that uses it.
 */
public final class DuckDbEngine implements QueryEngine {
    private final DuckDbSettings settings;
    private final TempRoot tempRoot;
    private final Planner planner;
    private final WarmInstances warm;

    private DuckDbEngine(DuckDbSettings settings, TempRoot tempRoot) {
        this.settings = settings;
        this.tempRoot = tempRoot;
        this.planner = new Planner(settings.plannerBytes());
        this.warm = new WarmInstances(settings.warmInstances());
    }

    /** Takes a folder below the temp root and sweeps those whose owners are provably dead. */
    public static DuckDbEngine open(DuckDbSettings settings) {
        return new DuckDbEngine(settings, TempRoot.open(settings.tempRoot()));
    }

    /** Parses statements without an engine: it needs no folder, and its instance is opened when first needed. */
    public static StatementPlanner openPlanner() {
        return new Planner(DuckDbSettings.DEFAULT_PLANNER_BYTES);
    }

    @Override
    public String name() {
        return "duckdb";
    }

    @Override
    public QueryPlan plan(PlanRequest request) {
        return planner.plan(request);
    }

    @Override
    public EngineSession open(SessionRequest request) {
        return DuckDbSession.open(request, settings.threads(), tempRoot, warm);
    }

    /** Instances that wait for their next session. */
    int warmInstances() {
        return warm.count();
    }

    @Override
    public void close() {
        planner.close();
        warm.close();
        tempRoot.close();
    }
}
