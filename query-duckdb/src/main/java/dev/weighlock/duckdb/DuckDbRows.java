package dev.weighlock.duckdb;

import dev.weighlock.query.ErrorCode;
import dev.weighlock.query.Facts;
import dev.weighlock.query.QueryException;
import dev.weighlock.query.Reason;
import dev.weighlock.query.engine.PlannedStatement;
import dev.weighlock.query.engine.ResultColumn;
import dev.weighlock.query.engine.ResultStream;
import dev.weighlock.query.engine.Row;
import dev.weighlock.query.engine.RowBatch;
import java.sql.SQLException;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.duckdb.DuckDBChunkedResult;
import org.duckdb.DuckDBDataChunkReader;
import org.duckdb.DuckDBPreparedStatement;
import org.duckdb.DuckDBReadableVector;
import org.jspecify.annotations.Nullable;

/** Reads a streamed result chunk by chunk, handing it on in small batches. Used by the session's thread. */
final class DuckDbRows implements ResultStream {
    private static final long BATCH_BYTES = 256 << 10;

    private final DuckDbSession session;
    private final DuckDBPreparedStatement statement;
    private final DuckDBChunkedResult result;
    private final List<ResultColumn> columns;
    private final List<ColumnReader> readers;
    private @Nullable DuckDBDataChunkReader chunk;
    private long at;
    private long chunkBytes;
    private long largestChunkBytes;
    private long rows;
    private long bytes;
    private boolean complete;
    private boolean closed;

    private DuckDbRows(
            DuckDbSession session,
            DuckDBPreparedStatement statement,
            DuckDBChunkedResult result,
            List<ResultColumn> columns,
            List<ColumnReader> readers) {
        this.session = session;
        this.statement = statement;
        this.result = result;
        this.columns = columns;
        this.readers = readers;
    }

    static DuckDbRows execute(DuckDbSession session, PlannedStatement planned, ZoneId zone) throws SQLException {
        var statement = session.prepare(planned.sql(), planned.values());
        try {
            var columns = ResultColumns.of(session, statement, planned);
            var readers = columns.stream()
                    .map(column -> ColumnReader.of(column.type(), zone))
                    .toList();
            if (readers.stream().anyMatch(reader -> reader.cast() != null)) {
                statement.close();
                statement = session.prepare(withCasts(planned.sql(), readers), planned.values());
            }
            return new DuckDbRows(session, statement, statement.query(), columns, readers);
        } catch (SQLException | RuntimeException e) {
            statement.close();
            throw e;
        }
    }

    /** Columns are renamed by position, because names need not be unique. */
    private static String withCasts(String sql, List<ColumnReader> readers) {
        var select = new ArrayList<String>();
        var names = new ArrayList<String>();
        for (var i = 0; i < readers.size(); i++) {
            var cast = readers.get(i).cast();
            names.add("c" + i);
            select.add(cast == null ? "c" + i : cast.formatted("c" + i));
        }
        return "SELECT " + String.join(", ", select) + " FROM (" + sql + "\n) AS q(" + String.join(", ", names) + ")";
    }

    @Override
    public List<ResultColumn> columns() {
        return columns;
    }

    @Override
    public Optional<RowBatch> fetch() {
        if (complete) {
            return Optional.empty();
        }
        try {
            session.checkCancelled();
            if (chunk == null || at == chunk.rowCount()) {
                if (!nextChunk()) {
                    return Optional.empty();
                }
            }
            return Optional.of(batch());
        } catch (SQLException e) {
            throw session.failure(e);
        }
    }

    private boolean nextChunk() throws SQLException {
        do {
            if (!result.nextChunk()) {
                end();
                return false;
            }
            chunk = result.chunk();
        } while (chunk.rowCount() == 0);
        at = 0;
        chunkBytes = 0;
        return true;
    }

    /** The reader's end may be a stream that broke off: the result and the profile decide. */
    private void end() throws SQLException {
        chunk = null;
        var error = DriverInternals.error(result);
        if (error.isPresent()) {
            throw error.get();
        }
        session.ended(largestChunkBytes);
        complete = true;
    }

    private RowBatch batch() {
        var current = chunk;
        if (current == null) {
            throw new IllegalStateException("no chunk to read");
        }
        var vectors = new DuckDBReadableVector[readers.size()];
        for (var i = 0; i < vectors.length; i++) {
            vectors[i] = current.vector(i);
        }
        var batch = new ArrayList<Row>();
        var size = 0L;
        while (at < current.rowCount() && size < BATCH_BYTES) {
            var values = new @Nullable Object[vectors.length];
            for (var i = 0; i < vectors.length; i++) {
                values[i] = readers.get(i).read(vectors[i], at);
            }
            size += RowSize.onHeap(values);
            chunkBytes += RowSize.inEngine(values);
            batch.add(Row.of(columns, values));
            at++;
        }
        largestChunkBytes = Math.max(largestChunkBytes, chunkBytes);
        requireRoom();
        bytes += size;
        rows += batch.size();
        return new RowBatch(batch, size);
    }

    /** A chunk sits whole in the engine's memory while it is read, and the engine counts none of its text. */
    private void requireRoom() {
        if (chunkBytes > session.limits().chunkBytes()) {
            throw new QueryException(
                    ErrorCode.RESULT_LIMIT_EXCEEDED,
                    "fetch",
                    session.limits().resultRemedy(),
                    Facts.of(Reason.RESULT_ALLOWANCE));
        }
    }

    @Override
    public long rows() {
        return rows;
    }

    @Override
    public long bytes() {
        return bytes;
    }

    @Override
    public boolean isComplete() {
        return complete;
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        try (statement;
                result) {
            chunk = null;
        } catch (SQLException e) {
            throw session.failure(e);
        } finally {
            session.rowsClosed();
        }
    }
}
