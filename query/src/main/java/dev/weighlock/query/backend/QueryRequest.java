package dev.weighlock.query.backend;

import dev.weighlock.query.AttemptId;
import dev.weighlock.query.engine.DataSet;
import dev.weighlock.query.engine.EngineStatement;
import dev.weighlock.query.engine.FileOutput;
import dev.weighlock.query.engine.RowSource;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One query to run. Immutable: every method returns a changed copy.
 *
 * {@snippet :
 * var request = QueryRequest.select("SELECT sum(x) FROM 'orders.parquet' WHERE day = :day", Map.of("day", day))
 *         .cap(512L << 20)
 *         .deadline(Duration.ofMinutes(10))
 *         .reading(List.of(folder));
 * }
 *
 * @param label for people, such as {@code revenue/orders}; null is none
 * @param parent the attempt on whose behalf this one runs; it must not have to wait for that one's room
 * @param profiled whether the summary tells of operators and of memory seen from outside, for a few hundred microseconds
 */
public record QueryRequest(
        QueryWork work,
        QueryLimits limits,
        QueryScope scope,
        @Nullable String label,
        @Nullable AttemptId parent,
        boolean profiled) {

    /** Rows for the caller; see {@link QueryHandle#rows}. */
    public static QueryRequest select(String sql, Map<String, @Nullable Object> values) {
        return of(new QueryWork.Select(new EngineStatement(sql, values)));
    }

    /** A result to page through; see {@link QueryWork.KeepPages} and {@link QueryHandle#awaitPages}. */
    public static QueryRequest keepPages(String sql, Map<String, @Nullable Object> values, int rowsPerPage) {
        return of(new QueryWork.KeepPages(new EngineStatement(sql, values), rowsPerPage));
    }

    /** A file; see {@link QueryWork.WriteFile} and {@link QueryHandle#awaitFile}. */
    public static QueryRequest writeFile(
            String sql, Map<String, @Nullable Object> values, FileOutput output, Path temporary) {
        return of(new QueryWork.WriteFile(new EngineStatement(sql, values), output, temporary));
    }

    /** An Arrow IPC stream; see {@link QueryWork.WriteArrow}. */
    public static QueryRequest writeArrow(String sql, Map<String, @Nullable Object> values, OutputStream out) {
        return of(new QueryWork.WriteArrow(new EngineStatement(sql, values), out));
    }

    /** A file of rows that come from outside; see {@link QueryWork.ImportRows} and {@link QueryHandle#awaitFile}. */
    public static QueryRequest importRows(RowSource source, FileOutput output, Path temporary) {
        return of(new QueryWork.ImportRows(source, output, temporary));
    }

    public static QueryRequest of(QueryWork work) {
        return new QueryRequest(work, QueryLimits.DEFAULT, QueryScope.CLOSED, null, null, false);
    }

    public QueryRequest with(QueryLimits newLimits) {
        return new QueryRequest(work, newLimits, scope, label, parent, profiled);
    }

    public QueryRequest with(QueryScope newScope) {
        return new QueryRequest(work, limits, newScope, label, parent, profiled);
    }

    public QueryRequest cap(long bytes) {
        return with(new QueryLimits(bytes, limits.pool(), limits.deadline(), limits.maxRows(), limits.firstRows()));
    }

    public QueryRequest pool(String pool) {
        return with(new QueryLimits(limits.capBytes(), pool, limits.deadline(), limits.maxRows(), limits.firstRows()));
    }

    public QueryRequest deadline(Duration deadline) {
        return with(new QueryLimits(limits.capBytes(), limits.pool(), deadline, limits.maxRows(), limits.firstRows()));
    }

    public QueryRequest maxRows(long rows) {
        return with(new QueryLimits(limits.capBytes(), limits.pool(), limits.deadline(), rows, limits.firstRows()));
    }

    public QueryRequest firstRows(long rows) {
        return with(new QueryLimits(limits.capBytes(), limits.pool(), limits.deadline(), limits.maxRows(), rows));
    }

    public QueryRequest reading(List<Path> directories) {
        return with(new QueryScope(
                directories, scope.writeDirectories(), scope.baseDirectory(), scope.timeZone(), scope.dataSets()));
    }

    public QueryRequest writing(List<Path> directories) {
        return with(new QueryScope(
                scope.readDirectories(), directories, scope.baseDirectory(), scope.timeZone(), scope.dataSets()));
    }

    /** Files that the SQL names by relative paths lie in {@code directory}; it is readable only if declared so. */
    public QueryRequest relativeTo(Path directory) {
        return with(new QueryScope(
                scope.readDirectories(), scope.writeDirectories(), directory, scope.timeZone(), scope.dataSets()));
    }

    public QueryRequest timeZone(ZoneId zone) {
        return with(new QueryScope(
                scope.readDirectories(), scope.writeDirectories(), scope.baseDirectory(), zone, scope.dataSets()));
    }

    /** What the SQL may name as {@code cache.NAME}; the next request may mean other files by the same names. */
    public QueryRequest dataSets(List<DataSet> sets) {
        return with(new QueryScope(
                scope.readDirectories(), scope.writeDirectories(), scope.baseDirectory(), scope.timeZone(), sets));
    }

    public QueryRequest label(String text) {
        return new QueryRequest(work, limits, scope, text, parent, profiled);
    }

    public QueryRequest parent(AttemptId attempt) {
        return new QueryRequest(work, limits, scope, label, attempt, profiled);
    }

    /** Asks for {@link QuerySummary#profile} and {@link QuerySummary#overshootBytes}. */
    public QueryRequest profile() {
        return new QueryRequest(work, limits, scope, label, parent, true);
    }
}
