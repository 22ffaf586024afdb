package dev.weighlock.batch.jdbc.target;

import dev.weighlock.batch.BatchError;
import dev.weighlock.batch.BatchException;
import dev.weighlock.batch.chunk.ChunkContext;
import dev.weighlock.batch.chunk.ItemWriter;
import dev.weighlock.batch.stop.StopToken;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Writes a chunk's items as rows of one table, in the chunk's own transaction. A stop that rolls the chunk back cancels the
 * statement that runs.
 *
 * <p>Of one step or partition attempt, one thread at a time; holds nothing open. The table is described by the database
 * once, with the first chunk.
 */
public final class JdbcWriter<T> implements ItemWriter<T> {
    private final RowLayout layout;
    private final Function<? super T, ? extends List<? extends @Nullable Object>> values;
    private @Nullable RowStatement statement;

    /**
     * @param values an item's values, one for each column of the layout, in its order
     * @throws BatchException INVALID_DEFINITION when the layout makes no sense
     */
    public JdbcWriter(RowLayout layout, Function<? super T, ? extends List<? extends @Nullable Object>> values) {
        this.layout = layout;
        this.values = values;
    }

    @Override
    public void write(List<T> items, ChunkContext chunk) throws SQLException {
        write(items, chunk.transaction(Connection.class), chunk.rollback());
    }

    /** Writes in a transaction of the caller. */
    public void write(List<T> items, Connection connection) throws SQLException {
        write(items, connection, StopToken.never());
    }

    private void write(List<T> items, Connection connection, StopToken rollback) throws SQLException {
        var prepared = statement;
        if (prepared == null) {
            prepared = RowStatement.of(connection, layout);
            statement = prepared;
        }
        List<? extends List<? extends @Nullable Object>> rows =
                items.stream().map(values).collect(Collectors.toList());
        prepared.write(connection, layout.mode() == WriteMode.UPSERT ? lastOfEachKey(rows) : rows, rollback);
    }

    /** One statement must not touch a row twice on PostgreSQL; replacing every column, the last one wins anyway. */
    private List<? extends List<? extends @Nullable Object>> lastOfEachKey(
            List<? extends List<? extends @Nullable Object>> rows) {
        var last = new LinkedHashMap<List<@Nullable Object>, List<? extends @Nullable Object>>();
        for (var row : rows) {
            var key = layout.keyOf(row);
            last.remove(key);
            last.put(key, row);
        }
        return List.copyOf(last.values());
    }

    static BatchException wrongWidth(int expected, int actual) {
        return new BatchException(
                BatchError.INVALID_DEFINITION, "a row has " + actual + " values for " + expected + " columns");
    }
}
