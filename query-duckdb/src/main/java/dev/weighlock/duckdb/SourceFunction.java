package dev.weighlock.duckdb;

import dev.weighlock.query.ErrorCode;
import dev.weighlock.query.FactKey;
import dev.weighlock.query.Facts;
import dev.weighlock.query.QueryException;
import dev.weighlock.query.engine.RowSource;
import java.sql.SQLException;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.duckdb.DuckDBConnection;
import org.duckdb.DuckDBDataChunkWriter;
import org.duckdb.DuckDBFunctions;
import org.duckdb.DuckDBTableFunction;
import org.duckdb.DuckDBTableFunctionBindInfo;
import org.duckdb.DuckDBTableFunctionCallInfo;
import org.duckdb.DuckDBTableFunctionInitInfo;
import org.jspecify.annotations.Nullable;

/**
 * A row source as a table function of one instance. The engine asks for a chunk at a time and from one thread, so memory
 * stays bounded and the rows keep their order.
 *
 * <p>The engine's own thread reads the source; {@code failure} is written there and read after the call has ended.
 */
final class SourceFunction implements DuckDBTableFunction<Object, Object, Object>, AutoCloseable {
    private static final String NAME = "weighlock_source";
    private static final long STAGED_BYTES = 4 << 20;

    private final RowSource source;
    private final RunningCall call;
    private final SourceColumn[] columns;
    private volatile @Nullable QueryException failure;
    private @Nullable Object[][] staged = new @Nullable Object[0][];
    private boolean ended;

    private SourceFunction(RowSource source, RunningCall call, SourceColumn[] columns) {
        this.source = source;
        this.call = call;
        this.columns = columns;
    }

    static SourceFunction of(RowSource source, RunningCall call) {
        return new SourceFunction(
                source, call, source.columns().stream().map(SourceColumn::of).toArray(SourceColumn[]::new));
    }

    void register(DuckDBConnection connection) throws SQLException {
        try (var builder = DuckDBFunctions.tableFunction()) {
            builder.withName(NAME).withFunction(this).register(connection);
        }
    }

    /** Selects the source's rows with their declared names and types. */
    String query() {
        var select = IntStream.range(0, columns.length)
                .mapToObj(i -> columns[i].cast().formatted("c" + i) + " AS " + SqlLiteral.name(columns[i].name()))
                .collect(Collectors.joining(", "));
        return "SELECT " + select + " FROM " + NAME + "()";
    }

    /** Why reading the source failed. */
    Optional<QueryException> failure() {
        return Optional.ofNullable(failure);
    }

    @Override
    public Object bind(DuckDBTableFunctionBindInfo info) throws SQLException {
        for (var i = 0; i < columns.length; i++) {
            try (var type = columns[i].transportType()) {
                info.addResultColumn("c" + i, type);
            }
        }
        return NAME;
    }

    @Override
    public Object init(DuckDBTableFunctionInitInfo info) {
        info.setMaxThreads(1);
        return NAME;
    }

    @Override
    public long apply(DuckDBTableFunctionCallInfo info, DuckDBDataChunkWriter output) {
        try {
            return ended ? 0 : fill(output);
        } catch (QueryException e) {
            failure = e;
            throw e;
        } catch (Exception e) {
            failure = call.isCancelled()
                    ? RunningCall.cancelled(e)
                    : new QueryException(
                            ErrorCode.ENGINE_ERROR, "import", "the source of rows failed: " + e, Facts.none(), e);
            throw failure;
        }
    }

    /** Reads as many rows as a chunk holds, fewer where they are wide, then writes them column by column. */
    private long fill(DuckDBDataChunkWriter output) throws Exception {
        var capacity = Math.toIntExact(output.capacity());
        if (staged.length == 0) {
            staged = new @Nullable Object[columns.length][capacity];
        }
        var rows = 0;
        var bytes = 0L;
        while (rows < capacity && bytes < STAGED_BYTES && !ended) {
            call.check();
            var values = source.next();
            if (values == null) {
                ended = true;
            } else {
                bytes += RowSize.onHeap(values);
                stage(values, rows++);
            }
        }
        for (var i = 0; i < columns.length; i++) {
            write(output, i, rows);
        }
        return rows;
    }

    private void stage(@Nullable Object[] values, int row) {
        for (var i = 0; i < columns.length; i++) {
            staged[i][row] = values[i];
        }
    }

    private void write(DuckDBDataChunkWriter output, int column, int rows) {
        try {
            columns[column].writer().write(output.vector(column), staged[column], rows);
        } catch (RuntimeException e) {
            throw new QueryException(
                    ErrorCode.DATA_ERROR,
                    "import",
                    "a value does not fit column " + columns[column].name() + " of type " + columns[column].declared()
                            + ": " + e.getMessage(),
                    Facts.of(FactKey.COLUMN, columns[column].name()),
                    e);
        }
    }

    @Override
    public void close() {}
}
