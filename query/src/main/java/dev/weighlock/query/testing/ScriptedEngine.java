package dev.weighlock.query.testing;

import dev.weighlock.query.ErrorCode;
import dev.weighlock.query.Facts;
import dev.weighlock.query.QueryException;
import dev.weighlock.query.Reason;
import dev.weighlock.query.engine.EngineSession;
import dev.weighlock.query.engine.NamedParameters;
import dev.weighlock.query.engine.PlanRequest;
import dev.weighlock.query.engine.QueryEngine;
import dev.weighlock.query.engine.QueryPlan;
import dev.weighlock.query.engine.SessionRequest;
import dev.weighlock.query.engine.SqlText;
import dev.weighlock.query.engine.StatementKind;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * An engine without data whose statements say what it does. With {@link EngineDefect}s it is bad in chosen ways.
 *
 * <ul>
 *   <li>{@code ROWS 3} gives three rows of one column {@code n}, counted from one; {@code STREAM} gives them without end
 *   <li>{@code WAIT} gives no row until it is cancelled or {@link #proceed} is called
 *   <li>{@code DEAF} gives no row until {@link #proceed} is called, cancelled or not
 *   <li>{@code FAIL ENGINE_ERROR} fails with that code, {@code PANIC} with an exception of no code
 *   <li>{@code BROKEN 3} gives three rows and then fails
 *   <li>{@code NEEDS_MEMORY}, {@code NEEDS_TEMP}, {@code NEEDS_RESULT} go over that limit
 *   <li>{@code SPILL 3} is ROWS with a file beside; {@code READ path} gives a row a line, where the file may be read
 *   <li>{@code KEEP} gives one row and then does not let go of its session
 *   <li>{@code FAULT isolation} fails with DEVICE_FAULT and takes the device with it
 *   <li>{@code SET} and {@code COPY} are no queries, anything else does not parse
 * </ul>
 *
 * Thread-safe. Every session is released by its user; {@link #openSessions} tells whether it was. Closing the engine
 * lets everything proceed.
 */
public final class ScriptedEngine implements QueryEngine {
    private static final Set<String> QUERIES = Set.of(
            "ROWS",
            "STREAM",
            "WAIT",
            "DEAF",
            "FAIL",
            "PANIC",
            "BROKEN",
            "NEEDS_MEMORY",
            "NEEDS_TEMP",
            "NEEDS_RESULT",
            "SPILL",
            "READ",
            "KEEP",
            "FAULT");
    private static final Set<String> OTHERS = Set.of("SET", "COPY");

    /** A planner needs this long for any statement. */
    private static final Duration PLANNING = Duration.ofMillis(1);

    private final @Nullable Path folder;
    private final Set<EngineDefect> defects;
    private final CountDownLatch proceed = new CountDownLatch(1);
    private final AtomicInteger openSessions = new AtomicInteger();
    private final AtomicInteger opened = new AtomicInteger();
    private final AtomicInteger running = new AtomicInteger();

    public ScriptedEngine() {
        this(null, new EngineDefect[0]);
    }

    /** @param folder below which SPILL writes its files; null refuses it */
    public ScriptedEngine(@Nullable Path folder, EngineDefect... defects) {
        this.folder = folder;
        this.defects = EnumSet.noneOf(EngineDefect.class);
        this.defects.addAll(List.of(defects));
    }

    @Override
    public String name() {
        return "scripted";
    }

    @Override
    public QueryPlan plan(PlanRequest request) {
        if (Thread.currentThread().isInterrupted() && !has(EngineDefect.PLAN_SWALLOWS_INTERRUPTS)) {
            throw cancelled("plan");
        }
        if (request.limit().compareTo(PLANNING) < 0 && !has(EngineDefect.PLAN_IGNORES_ITS_LIMIT)) {
            throw new QueryException(ErrorCode.ENGINE_TEMPORARY_FAILURE, "plan", "the planner did not answer in time");
        }
        var named = NamedParameters.of(request.sql());
        var word = SqlText.firstWord(named.sql());
        if (!QUERIES.contains(word) && !OTHERS.contains(word)) {
            throw failure(ErrorCode.SQL_ERROR, "no such script: " + request.sql());
        }
        if (has(EngineDefect.PLAN_EVALUATES) && word.equals("FAIL")) {
            throw failure(ErrorCode.DATA_ERROR, "evaluated while planning");
        }
        var isQuery = QUERIES.contains(word) || has(EngineDefect.PLAN_CALLS_ALL_A_QUERY);
        return new QueryPlan(
                isQuery ? StatementKind.QUERY : StatementKind.OTHER,
                has(EngineDefect.PLAN_CALLS_ALL_A_QUERY) ? 1 : SqlText.statements(named.sql()),
                List.of(),
                List.of(),
                SqlText.firstStatement(named.sql()),
                named.names());
    }

    @Override
    public EngineSession open(SessionRequest request) {
        openSessions.incrementAndGet();
        opened.incrementAndGet();
        return new ScriptedSession(this, request);
    }

    /** Lets every {@code WAIT} and {@code DEAF} end, those to come too. */
    public void proceed() {
        proceed.countDown();
    }

    /** Sessions that are opened and not released. */
    public int openSessions() {
        return openSessions.get();
    }

    /** Sessions opened so far. */
    public int opened() {
        return opened.get();
    }

    /** Statements that run now. */
    public int running() {
        return running.get();
    }

    @Override
    public void close() {
        proceed();
        if (folder != null && !has(EngineDefect.LEAVES_ITS_FOLDER_ON_CLOSE)) {
            SpillFolder.delete(folder);
        }
    }

    boolean has(EngineDefect defect) {
        return defects.contains(defect);
    }

    Path folder() {
        return Objects.requireNonNull(folder, "a scripted engine that has no folder spills nothing");
    }

    AtomicInteger runningStatements() {
        return running;
    }

    /** Waits until the engine may go on, whatever is cancelled meanwhile. */
    void awaitProceed() {
        try {
            proceed.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw cancelled("execute");
        }
    }

    boolean mayProceed() {
        return proceed.getCount() == 0;
    }

    void released() {
        openSessions.decrementAndGet();
    }

    /** The failure that a statement meets, blamed as the defects want it. */
    QueryException failure(ErrorCode code, String message) {
        var blamed = switch (code.kind()) {
            case INPUT -> has(EngineDefect.BLAMES_THE_ENGINE) ? ErrorCode.ENGINE_ERROR : code;
            case DEPENDENCY -> has(EngineDefect.BLAMES_THE_CALLER) ? ErrorCode.SQL_ERROR : code;
            default -> code;
        };
        return new QueryException(blamed, "execute", message);
    }

    static QueryException cancelled(String operation) {
        return new QueryException(
                ErrorCode.CANCELLED, operation, "the query was cancelled", Facts.of(Reason.CALLER_CANCELLED));
    }
}
