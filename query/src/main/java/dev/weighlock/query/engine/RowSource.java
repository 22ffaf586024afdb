package dev.weighlock.query.engine;

import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Rows that come from outside an engine, such as another database. Read by one thread; closed by the session that
 * imports them, or by whoever never handed it over.
 */
public interface RowSource extends AutoCloseable {
    List<Column> columns();

    /**
     * The next row, one value a column, or null at the end. The array may be reused. Values have the classes that
     * {@link EngineStatement} lists.
     *
     * @throws Exception whatever the source throws; the import fails with it as the cause
     */
    @Nullable
    Object @Nullable [] next() throws Exception;

    /** Also called by another thread to end a {@link #next} that waits. Idempotent. */
    @Override
    void close();

    /**
     * A column of the rows.
     *
     * @param type one of BOOLEAN, INTEGER, BIGINT, DOUBLE, VARCHAR, DATE, TIME, TIMESTAMP, TIMESTAMPTZ, UUID, BLOB or
     *     DECIMAL(p,s)
     */
    record Column(String name, String type) {
        private static final Pattern TYPE = Pattern.compile("BOOLEAN|INTEGER|BIGINT|DOUBLE|VARCHAR|DATE|TIME|TIMESTAMP"
                + "|TIMESTAMPTZ|UUID|BLOB|DECIMAL\\(\\d{1,2},\\d{1,2}\\)");

        public Column {
            if (!TYPE.matcher(type).matches()) {
                throw new IllegalArgumentException("column " + name + " has the unknown type " + type);
            }
        }
    }
}
