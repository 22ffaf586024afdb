package dev.weighlock.query.engine;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One row, immutable and independent of the engine.
 *
 * <p>Values are null, Boolean, Byte, Short, Integer, Long, BigInteger (integers over 64 bits, unsigned 64-bit ones),
 * BigDecimal, Float, Double, String (also ENUM, INTERVAL and whatever has no type of its own here), LocalDate,
 * LocalTime, LocalDateTime, OffsetDateTime (in the session's zone), UUID, byte[] and {@link NestedValue} (lists, arrays,
 * structs, maps, unions and JSON). {@link SqlValueText} writes them as the engine does.
 */
public final class Row {
    private final List<ResultColumn> columns;
    private final @Nullable Object[] values;

    private Row(List<ResultColumn> columns, @Nullable Object[] values) {
        this.columns = columns;
        this.values = values;
    }

    /** Takes over {@code values}: the caller must not change them afterwards. */
    public static Row of(List<ResultColumn> columns, @Nullable Object[] values) {
        if (columns.size() != values.length) {
            throw new IllegalArgumentException(values.length + " values for " + columns.size() + " columns");
        }
        return new Row(columns, values);
    }

    public List<ResultColumn> columns() {
        return columns;
    }

    /**
     * The value of a column.
     *
     * @param column from 0
     */
    public @Nullable Object value(int column) {
        return values[column];
    }

    /**
     * The value of a named column.
     *
     * @throws IllegalArgumentException where no column has that name; of several the first counts
     */
    public @Nullable Object value(String column) {
        for (var i = 0; i < values.length; i++) {
            if (columns.get(i).name().equals(column)) {
                return values[i];
            }
        }
        throw new IllegalArgumentException("no column " + column + " in " + columns);
    }

    public List<@Nullable Object> values() {
        var copy = new ArrayList<@Nullable Object>(values.length);
        Collections.addAll(copy, values);
        return Collections.unmodifiableList(copy);
    }

    @Override
    public String toString() {
        return Arrays.toString(values);
    }
}
