package dev.weighlock.duckdb;

import dev.weighlock.query.engine.RowSource;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.sql.SQLException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Base64;
import java.util.function.Function;
import org.duckdb.DuckDBColumnType;
import org.duckdb.DuckDBLogicalType;
import org.duckdb.DuckDBWritableVector;
import org.jspecify.annotations.Nullable;

/**
 * How one column's values enter the engine. Types that the chunk writer does not know travel as text and are cast by the
 * engine.
 *
 * @param declared the type of {@link RowSource.Column}
 * @param cast the SQL around the column, with {@code %s} for its name
 */
record SourceColumn(String name, String declared, DuckDBColumnType transport, String cast, Writer writer) {
    /** Writes a column's values of some rows, the first being row 0. */
    @FunctionalInterface
    interface Writer {
        void write(DuckDBWritableVector vector, @Nullable Object[] values, int rows);
    }

    /** Writes one value that is not null. */
    @FunctionalInterface
    private interface CellWriter {
        void write(DuckDBWritableVector vector, long row, Object value);
    }

    private static final String AS_IS = "%s";

    static SourceColumn of(RowSource.Column column) {
        return switch (column.type()) {
            case "BOOLEAN" ->
                direct(
                        column,
                        DuckDBColumnType.BOOLEAN,
                        (vector, row, value) -> vector.setBoolean(row, (Boolean) value));
            case "INTEGER" ->
                direct(
                        column,
                        DuckDBColumnType.INTEGER,
                        (vector, row, value) -> vector.setInt(row, Math.toIntExact(whole(value))));
            case "BIGINT" ->
                direct(column, DuckDBColumnType.BIGINT, (vector, row, value) -> vector.setLong(row, whole(value)));
            case "DOUBLE" ->
                direct(
                        column,
                        DuckDBColumnType.DOUBLE,
                        (vector, row, value) -> vector.setDouble(row, ((Number) value).doubleValue()));
            case "VARCHAR" -> text(column, AS_IS, Object::toString);
            case "DATE" ->
                direct(column, DuckDBColumnType.DATE, (vector, row, value) -> vector.setDate(row, (LocalDate) value));
            case "TIMESTAMP" ->
                direct(
                        column,
                        DuckDBColumnType.TIMESTAMP,
                        (vector, row, value) -> vector.setTimestamp(row, (LocalDateTime) value));
            case "TIMESTAMPTZ" ->
                direct(
                        column,
                        DuckDBColumnType.TIMESTAMP_WITH_TIME_ZONE,
                        (vector, row, value) -> vector.setOffsetDateTime(row, instant(value)));
            case "BLOB" ->
                text(column, "from_base64(%s)", value -> Base64.getEncoder().encodeToString((byte[]) value));
            case "TIME", "UUID" -> text(column, "CAST(%s AS " + column.type() + ")", Object::toString);
            default ->
                direct(
                        column,
                        DuckDBColumnType.DECIMAL,
                        (vector, row, value) -> vector.setBigDecimal(row, decimal(value)));
        };
    }

    private static SourceColumn direct(RowSource.Column column, DuckDBColumnType transport, CellWriter cell) {
        return new SourceColumn(column.name(), column.type(), transport, AS_IS, (vector, values, rows) -> {
            for (var row = 0; row < rows; row++) {
                var value = values[row];
                if (value == null) {
                    vector.setNull(row);
                } else {
                    cell.write(vector, row, value);
                }
            }
        });
    }

    /** Text enters a chunk at once: a call of the driver for each would cost more than all the rest. */
    private static SourceColumn text(RowSource.Column column, String cast, Function<Object, String> spell) {
        return new SourceColumn(
                column.name(), column.type(), DuckDBColumnType.VARCHAR, cast, (vector, values, rows) -> {
                    var texts = new @Nullable String[rows];
                    for (var row = 0; row < rows; row++) {
                        var value = values[row];
                        texts[row] = value == null ? null : spell.apply(value);
                    }
                    vector.setStrings(0, texts);
                });
    }

    private static long whole(Object value) {
        return value instanceof BigInteger big ? big.longValueExact() : ((Number) value).longValue();
    }

    private static OffsetDateTime instant(Object value) {
        return value instanceof Instant instant ? instant.atOffset(ZoneOffset.UTC) : (OffsetDateTime) value;
    }

    private static BigDecimal decimal(Object value) {
        return value instanceof BigDecimal decimal ? decimal : new BigDecimal(value.toString());
    }

    /** The caller closes it. */
    DuckDBLogicalType transportType() throws SQLException {
        if (transport != DuckDBColumnType.DECIMAL) {
            return DuckDBLogicalType.of(transport);
        }
        var comma = declared.indexOf(',');
        var width = Integer.parseInt(declared.substring("DECIMAL(".length(), comma));
        return DuckDBLogicalType.decimal(width, Integer.parseInt(declared.substring(comma + 1, declared.length() - 1)));
    }
}
