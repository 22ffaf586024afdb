package dev.weighlock.query.testing;

import dev.weighlock.query.ErrorCode;
import dev.weighlock.query.QueryException;
import dev.weighlock.query.engine.EngineSession;
import dev.weighlock.query.engine.PlanRequest;
import dev.weighlock.query.engine.QueryEngine;
import dev.weighlock.query.engine.QueryPlan;
import dev.weighlock.query.engine.SessionRequest;
import dev.weighlock.query.engine.StatementKind;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * An engine without data whose statements say what it does:
 *
 * <ul>
 *   <li>{@code ROWS 3} gives three rows of one column, batch by batch
 *   <li>{@code WAIT} gives no row until it is cancelled or {@link #proceed} is called
 *   <li>{@code FAIL ENGINE_ERROR} fails with that code, {@code PANIC} with an exception of no code
 *   <li>{@code KEEP} gives one row and then does not let go of its session
 *   <li>anything else does not parse
 * </ul>
 *
 * Thread-safe. Every session is released by its user; {@link #openSessions} tells whether it was.
 */
public final class ScriptedEngine implements QueryEngine {
    private static final Set<String> SCRIPTS = Set.of("ROWS", "WAIT", "FAIL", "PANIC", "KEEP");

    private final AtomicInteger openSessions = new AtomicInteger();
    private final CountDownLatch proceed = new CountDownLatch(1);

    public ScriptedEngine() {}

    /** Lets every {@code WAIT} end, those to come too. */
    public void proceed() {
        proceed.countDown();
    }

    public int openSessions() {
        return openSessions.get();
    }

    @Override
    public String name() {
        return "scripted";
    }

    @Override
    public QueryPlan plan(PlanRequest request) {
        String script = request.sql();
        if (!SCRIPTS.contains(script.split(" ", 2)[0])) {
            throw new QueryException(ErrorCode.SQL_ERROR, "plan", "no such script: " + script);
        }
        return new QueryPlan(StatementKind.QUERY, 1, List.of(), List.of(), script, List.of());
    }

    @Override
    public EngineSession open(SessionRequest request) {
        openSessions.incrementAndGet();
        return new ScriptedSession(proceed, openSessions::decrementAndGet);
    }

    @Override
    public void close() {
        proceed();
    }
}
