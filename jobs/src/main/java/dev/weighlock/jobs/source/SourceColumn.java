package dev.weighlock.jobs.source;

import dev.weighlock.batch.FailureCategory;
import dev.weighlock.jobs.StepFailure;
import dev.weighlock.jobs.csv.ColumnType;
import dev.weighlock.jobs.csv.ColumnType.Kind;
import dev.weighlock.query.engine.RowSource;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One column of a database's result: its type in the file, and how its values are read.
 *
 * @param place from 1
 * @param type empty for bytes
 * @param typed whether the driver itself gives dates and times by their Java types
 */
record SourceColumn(int place, String name, Optional<ColumnType> type, boolean typed) {
    private static final int MAX_PRECISION = 38;

    /** Describes a column; the result stands on its first row where there is one. */
    static SourceColumn of(ResultSet rows, int place, boolean sqlite) throws SQLException {
        ResultSetMetaData about = rows.getMetaData();
        String name = about.getColumnLabel(place);
        String declared = String.valueOf(about.getColumnTypeName(place)).toUpperCase(Locale.ROOT);
        return new SourceColumn(
                place, name, sqlite ? sqliteType(rows, place, declared) : serverType(about, place, declared), !sqlite);
    }

    /** SQLite's columns have a declared type at best; an expression has that of its first value. */
    private static Optional<ColumnType> sqliteType(ResultSet rows, int place, String declared) throws SQLException {
        int precision = rows.getMetaData().getPrecision(place);
        if ((declared.startsWith("DECIMAL") || declared.equals("NUMERIC")) && precision > 0) {
            return decimal(precision, rows.getMetaData().getScale(place));
        }
        // An integer of SQLite has 64 bits under whatever name.
        Optional<ColumnType> known = declared.contains("INT") ? type("BIGINT") : ColumnType.parse(declared);
        if (known.isPresent()) {
            return known;
        }
        if (declared.equals("BLOB")) {
            return Optional.empty();
        }
        return switch (rows.getRow() == 0 ? null : rows.getObject(place)) {
            case Integer _, Long _ -> type("BIGINT");
            case Double _ -> type("DOUBLE");
            case byte[] _ -> Optional.empty();
            case null, default -> type("VARCHAR");
        };
    }

    private static Optional<ColumnType> serverType(ResultSetMetaData about, int place, String declared)
            throws SQLException {
        return switch (declared) {
            case "BYTEA" -> Optional.empty();
            case "INT2", "INT4", "SERIAL" -> type("INTEGER");
            case "INT8", "BIGSERIAL" -> type("BIGINT");
            case "FLOAT4", "FLOAT8" -> type("DOUBLE");
            case "NUMERIC" -> numeric(about, place);
            default -> ColumnType.parse(declared).or(() -> type("VARCHAR"));
        };
    }

    private static Optional<ColumnType> numeric(ResultSetMetaData about, int place) throws SQLException {
        int precision = about.getPrecision(place);
        if (precision < 1 || precision > MAX_PRECISION) {
            throw new StepFailure(
                    FailureCategory.STEP_FAILED,
                    "column %s is numeric without a precision up to 38; cast it, for example to numeric(15,2)"
                            .formatted(about.getColumnLabel(place)));
        }
        return decimal(precision, about.getScale(place));
    }

    private static Optional<ColumnType> decimal(int precision, int scale) {
        return type("DECIMAL(%d,%d)".formatted(Math.min(precision, MAX_PRECISION), scale));
    }

    private static Optional<ColumnType> type(String name) {
        return ColumnType.parse(name);
    }

    /** The column of the file. */
    RowSource.Column column() {
        return new RowSource.Column(
                name,
                type.map(known -> switch (known.kind()) {
                            case TINYINT, SMALLINT -> "INTEGER";
                            case FLOAT -> "DOUBLE";
                            default -> known.toString();
                        })
                        .orElse("BLOB"));
    }

    /**
     * The value of the row on which the result stands.
     *
     * @throws StepFailure where a value does not have the column's type
     */
    @Nullable
    Object value(ResultSet rows, long row) throws SQLException {
        Object raw = typed ? typed(rows) : rows.getObject(place);
        if (raw == null || type.isEmpty()) {
            return raw;
        }
        try {
            return converted(raw, type.get());
        } catch (DateTimeException | ArithmeticException | IllegalArgumentException bad) {
            throw new StepFailure(
                    FailureCategory.DATA_ERROR,
                    "row %d, column %s: the value is no %s; cast it in the SQL".formatted(row, name, type.get()),
                    bad);
        }
    }

    private @Nullable Object typed(ResultSet rows) throws SQLException {
        return switch (type.map(ColumnType::kind).orElse(Kind.VARCHAR)) {
            case DATE -> rows.getObject(place, LocalDate.class);
            case TIME -> rows.getObject(place, LocalTime.class);
            case TIMESTAMP -> rows.getObject(place, LocalDateTime.class);
            case TIMESTAMPTZ -> rows.getObject(place, OffsetDateTime.class);
            default -> rows.getObject(place);
        };
    }

    private static Object converted(Object raw, ColumnType type) {
        return switch (type.kind()) {
            case BOOLEAN -> raw instanceof Number number ? number.longValue() != 0 : type.value(raw.toString());
            case TINYINT, SMALLINT, INTEGER -> new BigDecimal(raw.toString()).intValueExact();
            case BIGINT -> new BigDecimal(raw.toString()).longValueExact();
            case FLOAT, DOUBLE -> Double.parseDouble(raw.toString());
            case DECIMAL -> decimal(raw, type);
            case VARCHAR -> text(raw);
            case DATE, TIME, TIMESTAMP, TIMESTAMPTZ, UUID ->
                raw instanceof String text ? type.value(text) : required(raw);
        };
    }

    private static Object required(Object raw) {
        if (raw instanceof Number) {
            throw new IllegalArgumentException("a number");
        }
        return raw;
    }

    /** A floating value was never exact, so it is rounded; anything else must fit. */
    private static BigDecimal decimal(Object raw, ColumnType type) {
        RoundingMode rounding = raw instanceof Double ? RoundingMode.HALF_EVEN : RoundingMode.UNNECESSARY;
        BigDecimal value = new BigDecimal(raw.toString()).setScale(type.scale(), rounding);
        if (value.precision() > type.precision()) {
            throw new IllegalArgumentException("too many digits");
        }
        return value;
    }

    private static String text(Object raw) {
        if (raw instanceof byte[]) {
            throw new IllegalArgumentException("bytes");
        }
        return raw.toString();
    }
}
