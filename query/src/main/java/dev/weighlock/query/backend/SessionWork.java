package dev.weighlock.query.backend;

import dev.weighlock.query.ErrorCode;
import dev.weighlock.query.QueryException;
import dev.weighlock.query.attempt.AttemptHandle;
import dev.weighlock.query.engine.DataSet;
import dev.weighlock.query.engine.EngineSession;
import dev.weighlock.query.engine.FileResult;
import dev.weighlock.query.engine.PlannedStatement;
import dev.weighlock.query.engine.RowBatch;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Does in an open session what a request asks for. Used by the query's own thread. */
final class SessionWork {
    private final QueryRequest request;
    private final @Nullable PlannedQuery planned;
    private final AttemptHandle attempt;
    private final RowSink sink;
    private volatile long resultRows;

    SessionWork(QueryRequest request, @Nullable PlannedQuery planned, AttemptHandle attempt, RowSink sink) {
        this.request = request;
        this.planned = planned;
        this.attempt = attempt;
        this.sink = sink;
    }

    long resultRows() {
        return resultRows;
    }

    /** The most that rows took outside the engine. */
    long resultPeakBytes() {
        return sink.peakBytes();
    }

    /** The pages of a result to be kept, once it has run. */
    Optional<PageBuilder> pages() {
        return sink instanceof PageBuilder built ? Optional.of(built) : Optional.empty();
    }

    List<DataSet> dataSets() {
        return planned == null ? List.of() : planned.dataSets();
    }

    /** @return the file, where the work is to write one */
    @Nullable
    FileResult run(EngineSession session, long unreadBytes) throws InterruptedException {
        return switch (request.work()) {
            case QueryWork.Select _, QueryWork.KeepPages _ -> {
                select(session, unreadBytes);
                yield null;
            }
            case QueryWork.WriteFile work ->
                counted(session.executeToFile(statement(), work.output(), work.temporary()));
            case QueryWork.WriteArrow work -> {
                counted(session.executeToArrow(statement(), work.out()));
                yield null;
            }
            case QueryWork.ImportRows work ->
                counted(session.importRows(work.source(), work.output(), work.temporary()));
        };
    }

    private PlannedStatement statement() {
        return Objects.requireNonNull(planned, "a query without a plan").statement();
    }

    private FileResult counted(FileResult file) {
        counted(file.rows());
        return file;
    }

    private void counted(long rows) {
        requireWithinLimit(rows);
        resultRows = rows;
        attempt.recordResult(rows, true);
    }

    private void select(EngineSession session, long unreadBytes) throws InterruptedException {
        boolean complete;
        try (var stream = session.execute(statement())) {
            sink.begin(stream.columns(), unreadBytes);
            attempt.recordFetchStarted();
            var batch = stream.fetch();
            while (batch.isPresent() && !isEnough()) {
                handOver(batch.get());
                batch = stream.fetch();
            }
            complete = batch.isEmpty() && stream.isComplete();
            requireProvedEnd(batch.isEmpty(), complete);
        }
        attempt.recordResult(resultRows, complete);
        sink.end();
    }

    /** Rows that end without proof may be some of them only. */
    private static void requireProvedEnd(boolean ended, boolean complete) {
        if (ended && !complete) {
            throw new QueryException(
                    ErrorCode.RESULT_INCOMPLETE, "fetch", "the engine's rows ended without proof that they are all");
        }
    }

    private boolean isEnough() {
        var first = request.limits().firstRows();
        return first != null && resultRows >= first;
    }

    private void handOver(RowBatch batch) throws InterruptedException {
        var before = resultRows;
        requireWithinLimit(before + batch.rows().size());
        var first = request.limits().firstRows();
        var wanted = first == null || first - before >= batch.rows().size()
                ? batch
                : new RowBatch(batch.rows().subList(0, (int) (first - before)), batch.bytes());
        sink.put(wanted);
        resultRows = before + wanted.rows().size();
        attempt.recordResult(resultRows, false);
    }

    private void requireWithinLimit(long count) {
        var max = request.limits().maxRows();
        if (max != null && count > max) {
            throw new QueryException(
                    ErrorCode.RESULT_LIMIT_EXCEEDED,
                    "fetch",
                    "the result has more than the " + max
                            + " rows that its limit allows; raise max_rows or select less");
        }
    }
}
