package dev.weighlock.duckdb;

import dev.weighlock.query.ErrorCode;
import dev.weighlock.query.FactKey;
import dev.weighlock.query.Facts;
import dev.weighlock.query.QueryException;
import dev.weighlock.query.engine.NamedParameters;
import dev.weighlock.query.engine.PlanRequest;
import dev.weighlock.query.engine.QueryPlan;
import dev.weighlock.query.engine.SqlText;
import dev.weighlock.query.engine.StatementKind;
import dev.weighlock.query.engine.StatementPlanner;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Parses statements in one small locked instance, on one platform thread of its own. A planner that does not answer in
 * time is left to end by itself and the next request gets a new one.
 *
 * <p>Thread-safe; {@code this} guards {@code worker} and is never held while something is parsed. The engine closes it.
 */
final class Planner implements StatementPlanner {
    private static final String OPERATION = "plan";
    private static final String SERIALIZE =
            "SELECT json_serialize_sql($1::VARCHAR, skip_null := true, skip_empty := true, skip_default := true)";

    /** One instance and the only thread that touches it. */
    private static final class Worker {
        final ExecutorService thread = Executors.newSingleThreadExecutor(
                Thread.ofPlatform().daemon().name("weighlock-duckdb-planner").factory());
        private @Nullable Instance instance;
        private @Nullable PreparedStatement statement;

        String serialize(String sql, long memoryBytes) throws SQLException {
            if (statement == null) {
                instance = Instance.open(
                        new Instance.Spec(memoryBytes, 1, 0, 1 << 20, List.of(), ZoneOffset.UTC, List.of()), null);
                statement = instance.connection().prepareStatement(SERIALIZE);
            }
            statement.setString(1, sql);
            try (var result = statement.executeQuery()) {
                result.next();
                return result.getString(1);
            } catch (SQLException e) {
                close();
                throw e;
            }
        }

        private void close() throws SQLException {
            if (instance != null) {
                instance.connection().close();
                instance = null;
                statement = null;
            }
        }

        void retire() {
            var _ = thread.submit(() -> {
                close();
                return null;
            });
            thread.shutdown();
        }
    }

    private final long memoryBytes;
    private final PlanCache plans = new PlanCache();
    private @Nullable Worker worker;
    private boolean closed;

    Planner(long memoryBytes) {
        this.memoryBytes = memoryBytes;
    }

    @Override
    public QueryPlan plan(PlanRequest request) {
        return plans.find(request).orElseGet(() -> plans.keep(request, parse(request)));
    }

    private QueryPlan parse(PlanRequest request) {
        var named = NamedParameters.of(request.sql());
        var tree = ParseTree.read(serialize(named.sql(), request));
        if (tree.isOtherStatement()) {
            return plan(named, StatementWords.kind(named.sql()), SqlText.statements(named.sql()), tree, named.sql());
        }
        if (tree.isError()) {
            throw new QueryException(ErrorCode.SQL_ERROR, OPERATION, tree.errorMessage(), line(named.sql(), tree));
        }
        var kind = tree.changes() ? StatementKind.CHANGE : StatementKind.QUERY;
        var sql = FilePaths.resolve(named.sql(), tree.fileLocations(), request.baseDirectory());
        return plan(named, kind, tree.statements(), tree, SqlText.firstStatement(sql));
    }

    /** Values do not change lines, so the line is that of the text as it was given. */
    private static Facts line(String sql, ParseTree tree) {
        return tree.errorPosition().isEmpty()
                ? Facts.none()
                : Facts.of(
                        FactKey.LINE,
                        1
                                + sql.chars()
                                        .limit(tree.errorPosition().getAsInt())
                                        .filter(c -> c == '\n')
                                        .count());
    }

    private static QueryPlan plan(
            NamedParameters named, StatementKind kind, int statements, ParseTree tree, String sql) {
        return new QueryPlan(kind, statements, tree.tables(), tree.functions(), sql, named.names());
    }

    private String serialize(String sql, PlanRequest request) {
        long begun = System.nanoTime();
        var current = worker();
        var answer = current.thread.submit(() -> current.serialize(sql, memoryBytes));
        try {
            return answer.get(left(request, begun), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            replace(current, answer);
            throw new QueryException(
                    ErrorCode.ENGINE_TEMPORARY_FAILURE,
                    OPERATION,
                    "the planner did not answer within " + request.limit() + " and is replaced",
                    Facts.none(),
                    e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new QueryException(ErrorCode.CANCELLED, OPERATION, "interrupted while planning", Facts.none(), e);
        } catch (ExecutionException e) {
            throw failure(e);
        }
    }

    /** An answer that is there already does not make a limit that is over any longer. */
    private static long left(PlanRequest request, long begun) throws TimeoutException {
        long left = request.limit().toNanos() - (System.nanoTime() - begun);
        if (left <= 0) {
            throw new TimeoutException();
        }
        return left;
    }

    private static QueryException failure(ExecutionException e) {
        return e.getCause() instanceof SQLException sql
                ? DriverErrors.classify(OPERATION, sql, null)
                : new QueryException(
                        ErrorCode.ENGINE_PERSISTENT_FAILURE,
                        OPERATION,
                        "the planner failed",
                        Facts.none(),
                        e.getCause());
    }

    private synchronized Worker worker() {
        if (closed) {
            throw new QueryException(ErrorCode.CANCELLED, OPERATION, "the engine is closed");
        }
        if (worker == null) {
            worker = new Worker();
        }
        return worker;
    }

    private synchronized void replace(Worker stuck, Future<String> answer) {
        answer.cancel(false);
        if (worker == stuck) {
            worker = null;
        }
        stuck.retire();
    }

    @Override
    public synchronized void close() {
        closed = true;
        if (worker != null) {
            worker.retire();
            worker = null;
        }
    }
}
