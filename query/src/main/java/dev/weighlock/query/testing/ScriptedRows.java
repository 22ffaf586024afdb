package dev.weighlock.query.testing;

import dev.weighlock.query.ErrorCode;
import dev.weighlock.query.QueryException;
import dev.weighlock.query.engine.ResultColumn;
import dev.weighlock.query.engine.ResultStream;
import dev.weighlock.query.engine.Row;
import dev.weighlock.query.engine.RowBatch;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Rows that count from one, a hundred at a time. */
final class ScriptedRows implements ResultStream {
    private static final List<ResultColumn> COLUMNS = List.of(new ResultColumn("n", "INTEGER"));
    private static final long ROW_BYTES = 64;

    private final ScriptedSession session;
    private final long count;
    private final boolean breaks;
    private long rows;
    private boolean complete;
    private boolean closed;

    ScriptedRows(ScriptedSession session, long count, boolean breaks) {
        this.session = session;
        this.count = count;
        this.breaks = breaks;
    }

    @Override
    public List<ResultColumn> columns() {
        return COLUMNS;
    }

    @Override
    public Optional<RowBatch> fetch() {
        if (complete) {
            return Optional.empty();
        }
        if (!session.has(EngineDefect.DEAF_IN_FETCH)) {
            session.check();
        }
        if (rows == count) {
            end();
            return Optional.empty();
        }
        return Optional.of(batch());
    }

    private void end() {
        if (breaks && !session.has(EngineDefect.TRUNCATES)) {
            throw new QueryException(ErrorCode.DATA_ERROR, "fetch", "the rows break off here");
        }
        complete = !session.has(EngineDefect.ENDS_UNPROVED);
        session.complete();
    }

    private RowBatch batch() {
        var batch = new ArrayList<Row>();
        while (rows < count && batch.size() < 100) {
            batch.add(Row.of(COLUMNS, new @Nullable Object[] {(int) ++rows}));
        }
        return new RowBatch(batch, batch.size() * ROW_BYTES);
    }

    @Override
    public long rows() {
        return rows;
    }

    @Override
    public long bytes() {
        return rows * ROW_BYTES;
    }

    @Override
    public boolean isComplete() {
        return complete;
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            session.end();
        }
    }
}
