package dev.weighlock.duckdb;

import dev.weighlock.query.engine.NestedValue;
import java.math.BigInteger;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.util.Base64;
import java.util.Locale;
import java.util.UUID;
import org.duckdb.DuckDBReadableVector;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.json.JsonReadFeature;

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

    private static final JsonFactory JSON = JsonFactory.builder()
            .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
            .build();
    private static final String AS_TEXT = "CAST(%s AS VARCHAR)";
    private static final String AS_TEXT_AND_JSON = "to_json({'text': CAST(%1$s AS VARCHAR), 'json': %1$s})";

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
            case "VARCHAR" -> direct(DuckDBReadableVector::getString);
            case "JSON" -> direct((vector, row) -> json(vector.getString(row)));
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
            case "TIME" -> new ColumnReader(AS_TEXT, (vector, row) -> time(vector.getString(row)));
            case "UUID" -> new ColumnReader(AS_TEXT, (vector, row) -> UUID.fromString(vector.getString(row)));
            case "BIGNUM" -> new ColumnReader(AS_TEXT, (vector, row) -> new BigInteger(vector.getString(row)));
            case "BLOB" ->
                new ColumnReader(
                        "to_base64(%s)", (vector, row) -> Base64.getDecoder().decode(vector.getString(row)));
            default ->
                isNested(type)
                        ? new ColumnReader(AS_TEXT_AND_JSON, (vector, row) -> nested(vector.getString(row)))
                        : new ColumnReader(AS_TEXT, DuckDBReadableVector::getString);
        };
    }

    static boolean isNested(String type) {
        return type.endsWith("]") || type.startsWith("STRUCT(") || type.startsWith("MAP(") || type.startsWith("UNION(");
    }

    private static NestedValue json(String text) {
        return new NestedValue(text, text);
    }

    /** Takes the two fields of {@link #AS_TEXT_AND_JSON} apart; the second is kept as it is written. */
    private static NestedValue nested(String both) {
        try (var in = JSON.createParser(ObjectReadContext.empty(), both)) {
            in.nextToken();
            in.nextName();
            in.nextToken();
            var text = in.getString();
            in.nextName();
            in.nextToken();
            var begin = (int) in.currentTokenLocation().getCharOffset();
            return new NestedValue(text, both.substring(begin, both.length() - 1));
        }
    }

    /** The engine knows the end of a day as a time, Java does not: it stays a text. */
    private static Object time(String text) {
        return text.startsWith("24:") ? text : LocalTime.parse(text);
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
