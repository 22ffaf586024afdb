package dev.weighlock.app.rows;

import dev.weighlock.query.engine.ResultColumn;
import dev.weighlock.query.engine.Row;
import java.io.PrintStream;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Prints the rows of one result as they come. For one thread. */
public interface RowPrinter {
    /** Before the first row. */
    void begin(List<ResultColumn> columns);

    void row(Row row);

    /**
     * After the last row of a complete result.
     *
     * @param account what the query cost; printed where the format has a place for it, null where nobody asked
     */
    void end(@Nullable Map<String, Object> account);

    static RowPrinter table(PrintStream out) {
        return new TableRows(out);
    }

    static RowPrinter csv(PrintStream out) {
        return new CsvRows(out);
    }

    /** {@code {"schema":"weighlock.rows/1","columns":[{"name":…,"type":…}],"rows":[[…],…]}} */
    static RowPrinter jsonDocument(PrintStream out) {
        return new JsonDocument(out);
    }

    static RowPrinter jsonLines(PrintStream out) {
        return new JsonRows(out);
    }
}
