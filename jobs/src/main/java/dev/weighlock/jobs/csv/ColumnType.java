package dev.weighlock.jobs.csv;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A column's type under its SQL name, which reads one text as one value. Immutable.
 *
 * @param precision digits in all of a DECIMAL, else 0
 * @param scale digits after the point of a DECIMAL, else 0
 */
public record ColumnType(Kind kind, int precision, int scale) {
    public static final String KNOWN = "BOOLEAN, TINYINT, SMALLINT, INTEGER, BIGINT, FLOAT, DOUBLE, DECIMAL(p,s), "
            + "VARCHAR, DATE, TIME, TIMESTAMP, TIMESTAMPTZ, UUID";

    static final ColumnType VARCHAR = new ColumnType(Kind.VARCHAR, 0, 0);

    private static final Pattern DECIMAL = Pattern.compile("(?:DECIMAL|NUMERIC)\\((\\d{1,2})(?:,(\\d{1,2}))?\\)");
    private static final int MAX_PRECISION = 38;
    private static final Map<String, Kind> ALIASES = Map.ofEntries(
            Map.entry("BOOL", Kind.BOOLEAN),
            Map.entry("INT", Kind.INTEGER),
            Map.entry("INT4", Kind.INTEGER),
            Map.entry("INT8", Kind.BIGINT),
            Map.entry("LONG", Kind.BIGINT),
            Map.entry("REAL", Kind.FLOAT),
            Map.entry("FLOAT8", Kind.DOUBLE),
            Map.entry("TEXT", Kind.VARCHAR),
            Map.entry("STRING", Kind.VARCHAR),
            Map.entry("DATETIME", Kind.TIMESTAMP),
            Map.entry("TIMESTAMP WITH TIME ZONE", Kind.TIMESTAMPTZ));

    /** ISO, with a blank or a T between date and time. */
    private static final DateTimeFormatter TIMESTAMP = new DateTimeFormatterBuilder()
            .append(DateTimeFormatter.ISO_LOCAL_DATE)
            .appendPattern("['T'][' ']")
            .append(DateTimeFormatter.ISO_LOCAL_TIME)
            .toFormatter(Locale.ROOT);

    private static final DateTimeFormatter TIMESTAMPTZ = new DateTimeFormatterBuilder()
            .append(TIMESTAMP)
            .appendPattern("[XXX][XX][X]")
            .toFormatter(Locale.ROOT);

    /** The types' names. */
    public enum Kind {
        BOOLEAN,
        TINYINT,
        SMALLINT,
        INTEGER,
        BIGINT,
        FLOAT,
        DOUBLE,
        DECIMAL,
        VARCHAR,
        DATE,
        TIME,
        TIMESTAMP,
        TIMESTAMPTZ,
        UUID
    }

    /** The type of that name in any case; empty when it is not known. */
    public static Optional<ColumnType> parse(String text) {
        String name =
                text.strip().toUpperCase(Locale.ROOT).replaceAll("\\s+", " ").replaceAll(" ?([(),]) ?", "$1");
        Matcher decimal = DECIMAL.matcher(name);
        if (decimal.matches()) {
            int precision = Integer.parseInt(decimal.group(1));
            int scale = decimal.group(2) == null ? 0 : Integer.parseInt(decimal.group(2));
            boolean sound = precision >= 1 && precision <= MAX_PRECISION && scale <= precision;
            return sound ? Optional.of(new ColumnType(Kind.DECIMAL, precision, scale)) : Optional.empty();
        }
        for (Kind kind : Kind.values()) {
            if (kind != Kind.DECIMAL && kind.name().equals(name)) {
                return Optional.of(new ColumnType(kind, 0, 0));
            }
        }
        return Optional.ofNullable(ALIASES.get(name)).map(kind -> new ColumnType(kind, 0, 0));
    }

    /**
     * Reads a value.
     *
     * @return Boolean, Integer, Long, Float, Double, BigDecimal, String, LocalDate, LocalTime, LocalDateTime,
     *     OffsetDateTime or UUID
     * @throws IllegalArgumentException or {@link java.time.DateTimeException} where the text is no such value
     */
    public Object value(String text) {
        return switch (kind) {
            case BOOLEAN -> flag(text);
            case TINYINT -> (int) Byte.parseByte(text);
            case SMALLINT -> (int) Short.parseShort(text);
            case INTEGER -> Integer.parseInt(text);
            case BIGINT -> Long.parseLong(text);
            case FLOAT -> Float.parseFloat(text);
            case DOUBLE -> Double.parseDouble(text);
            case DECIMAL -> decimal(text);
            case VARCHAR -> text;
            case DATE -> LocalDate.parse(text);
            case TIME -> LocalTime.parse(text);
            case TIMESTAMP -> LocalDateTime.parse(text, TIMESTAMP);
            case TIMESTAMPTZ -> offsetDateTime(text);
            case UUID -> UUID.fromString(text);
        };
    }

    private static boolean flag(String text) {
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "true", "t", "1" -> true;
            case "false", "f", "0" -> false;
            default -> throw new IllegalArgumentException("no boolean");
        };
    }

    /** Exact: a digit too many is refused, never rounded away. */
    private BigDecimal decimal(String text) {
        BigDecimal value = new BigDecimal(text);
        if (Math.abs((long) value.scale()) > 100) {
            throw new IllegalArgumentException("too many digits");
        }
        BigDecimal scaled = value.setScale(scale, RoundingMode.UNNECESSARY);
        if (scaled.precision() > precision) {
            throw new IllegalArgumentException("too many digits");
        }
        return scaled;
    }

    private static OffsetDateTime offsetDateTime(String text) {
        var parsed = TIMESTAMPTZ.parseBest(text, OffsetDateTime::from, LocalDateTime::from);
        return parsed instanceof LocalDateTime local ? local.atOffset(ZoneOffset.UTC) : OffsetDateTime.from(parsed);
    }

    @Override
    public String toString() {
        return kind == Kind.DECIMAL ? "DECIMAL(%d,%d)".formatted(precision, scale) : kind.name();
    }
}
