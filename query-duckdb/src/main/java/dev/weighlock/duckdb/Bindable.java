package dev.weighlock.duckdb;

import dev.weighlock.query.engine.SqlText;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Values as the driver binds them without asking the JVM's time zone, and marks that carry their type: a statement with
 * bare marks is typed only when it runs, too late to know how its columns are read.
 */
final class Bindable {
    private Bindable() {}

    /** The text with each mark cast to its value's type, where that type is certain. */
    static String typed(String sql, List<@Nullable Object> values) {
        if (values.isEmpty()) {
            return sql;
        }
        var out = new StringBuilder();
        for (var at = 0; at < sql.length(); ) {
            var end = SqlText.endOfQuoted(sql, at);
            if (end == at && sql.charAt(at) == '$') {
                end = endOfNumber(sql, at + 1);
                out.append(typedMark(sql.substring(at, end), values));
            } else {
                end = Math.max(end, at + 1);
                out.append(sql, at, end);
            }
            at = end;
        }
        return out.toString();
    }

    private static int endOfNumber(String sql, int from) {
        var end = from;
        while (end < sql.length() && Character.isDigit(sql.charAt(end))) {
            end++;
        }
        return end;
    }

    private static String typedMark(String mark, List<@Nullable Object> values) {
        if (mark.length() == 1) {
            return mark;
        }
        var number = Integer.parseInt(mark.substring(1));
        var type = number <= values.size() ? type(values.get(number - 1)) : null;
        return type == null ? mark : "CAST(" + mark + " AS " + type + ")";
    }

    /** Text stays untyped, so that it takes the type of what it is compared with. */
    private static @Nullable String type(@Nullable Object value) {
        return switch (value) {
            case Boolean _ -> "BOOLEAN";
            case Integer _ -> "INTEGER";
            case Long _ -> "BIGINT";
            case BigInteger _ -> "HUGEINT";
            case Double _ -> "DOUBLE";
            case BigDecimal decimal -> decimalType(decimal);
            case LocalDate _ -> "DATE";
            case LocalDateTime _ -> "TIMESTAMP";
            case OffsetDateTime _, Instant _ -> "TIMESTAMPTZ";
            case null, default -> null;
        };
    }

    private static @Nullable String decimalType(BigDecimal value) {
        var scale = Math.max(value.scale(), 0);
        var width = Math.max(value.precision() - value.scale() + scale, scale + 1);
        return width > 38 ? null : "DECIMAL(" + Math.max(width, 18) + "," + scale + ")";
    }

    static @Nullable Object of(@Nullable Object value) {
        return switch (value) {
            case null -> null;
            case Instant instant -> instant.atOffset(ZoneOffset.UTC);
            // As text these take the type of what they are compared with.
            case UUID uuid -> uuid.toString();
            case LocalTime time -> time.toString();
            default -> value;
        };
    }
}
