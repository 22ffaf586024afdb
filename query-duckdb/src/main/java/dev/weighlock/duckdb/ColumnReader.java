package dev.weighlock.duckdb;

import java.math.BigInteger;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.util.Base64;
import java.util.Locale;
import java.util.UUID;
import org.duckdb.DuckDBReadableVector;
import org.jspecify.annotations.Nullable;

/**
 * How one column's values leave the engine. Types that the chunk reader does not know are cast to text by the engine
 * and read from it.
 *
 * @param cast the SQL around the column, with {@code %s} for its name; null where the chunk reader knows the type
 */
record ColumnReader(@Nullable String cast, Reader reader) {
    /** Reads one value that is not null. */
    @FunctionalInterface
    interface Reader {
        Object read(DuckDBReadableVector vector, long row);
    }

    private static final String AS_TEXT = "CAST(%s AS VARCHAR)";

    static ColumnReader of(String type, ZoneId zone) {
        return switch (baseType(type)) {
            case "BOOLEAN" -> direct(DuckDBReadableVector::getBoolean);
            case "TINYINT" -> direct(DuckDBReadableVector::getByte);
            case "SMALLINT" -> direct(DuckDBReadableVector::getShort);
            case "INTEGER" -> direct(DuckDBReadableVector::getInt);
            case "BIGINT" -> direct(DuckDBReadableVector::getLong);
            case "HUGEINT" -> direct(DuckDBReadableVector::getHugeInt);
            case "UTINYINT" -> direct(DuckDBReadableVector::getUint8);
            case "USMALLINT" -> direct(DuckDBReadableVector::getUint16);
            case "UINTEGER" -> direct(DuckDBReadableVector::getUint32);
            case "UBIGINT" -> direct(DuckDBReadableVector::getUint64);
            case "UHUGEINT" -> direct(DuckDBReadableVector::getUHugeInt);
            case "FLOAT" -> direct(DuckDBReadableVector::getFloat);
            case "DOUBLE" -> direct(DuckDBReadableVector::getDouble);
            case "DECIMAL" -> direct(DuckDBReadableVector::getBigDecimal);
            case "VARCHAR", "JSON" -> direct(DuckDBReadableVector::getString);
            case "DATE" -> direct(DuckDBReadableVector::getLocalDate);
            case "TIMESTAMP", "TIMESTAMP_S", "TIMESTAMP_MS", "TIMESTAMP_NS" ->
                direct(DuckDBReadableVector::getLocalDateTime);
            case "TIMESTAMP WITH TIME ZONE" ->
                // The driver answers in the JVM's zone; only the instant is the engine's.
                direct((vector, row) ->
                        OffsetDateTime.ofInstant(vector.getOffsetDateTime(row).toInstant(), zone));
            default -> throughText(type);
        };
    }

    private static ColumnReader throughText(String type) {
        return switch (baseType(type)) {
            case "TIME" -> new ColumnReader(AS_TEXT, (vector, row) -> LocalTime.parse(vector.getString(row)));
            case "UUID" -> new ColumnReader(AS_TEXT, (vector, row) -> UUID.fromString(vector.getString(row)));
            case "BIGNUM" -> new ColumnReader(AS_TEXT, (vector, row) -> new BigInteger(vector.getString(row)));
            case "BLOB" ->
                new ColumnReader(
                        "to_base64(%s)", (vector, row) -> Base64.getDecoder().decode(vector.getString(row)));
            default -> new ColumnReader(AS_TEXT, DuckDBReadableVector::getString);
        };
    }

    private static ColumnReader direct(Reader reader) {
        return new ColumnReader(null, reader);
    }

    /** The type without its arguments; nested types keep what follows, so that INTEGER[] is no INTEGER. */
    private static String baseType(String type) {
        var upper = type.toUpperCase(Locale.ROOT);
        return upper.startsWith("DECIMAL(") && upper.endsWith(")") ? "DECIMAL" : upper;
    }

    @Nullable
    Object read(DuckDBReadableVector vector, long row) {
        return vector.isNull(row) ? null : reader.read(vector, row);
    }
}
