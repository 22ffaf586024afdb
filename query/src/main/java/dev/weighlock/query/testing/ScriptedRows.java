package dev.weighlock.query.testing;

import dev.weighlock.query.engine.ResultColumn;
import dev.weighlock.query.engine.ResultStream;
import dev.weighlock.query.engine.Row;
import dev.weighlock.query.engine.RowBatch;
import java.util.List;
import java.util.Optional;

/** Rows that count from one, one a batch. */
final class ScriptedRows implements ResultStream {
    private static final List<ResultColumn> COLUMNS = List.of(new ResultColumn("n", "INTEGER"));
    private static final long ROW_BYTES = 100;

    private final ScriptedSession session;
    private final int wanted;
    private int fetched;
    private boolean complete;

    ScriptedRows(ScriptedSession session, int wanted) {
        this.session = session;
        this.wanted = wanted;
    }

    @Override
    public List<ResultColumn> columns() {
        return COLUMNS;
    }

    @Override
    public Optional<RowBatch> fetch() {
        session.checkCancelled();
        if (fetched == wanted) {
            complete = true;
            return Optional.empty();
        }
        fetched++;
        return Optional.of(new RowBatch(List.of(Row.of(COLUMNS, new Object[] {fetched})), ROW_BYTES));
    }

    @Override
    public long rows() {
        return fetched;
    }

    @Override
    public long bytes() {
        return fetched * ROW_BYTES;
    }

    @Override
    public boolean isComplete() {
        return complete;
    }

    @Override
    public void close() {}
}
