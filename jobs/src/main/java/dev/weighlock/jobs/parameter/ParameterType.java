package dev.weighlock.jobs.parameter;

import dev.weighlock.batch.BatchException;
import dev.weighlock.batch.ParameterValue;
import java.math.BigDecimal;
import java.time.Clock;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.Locale;
import java.util.Optional;

/** The types a parameter can have, and how their values are written. */
public enum ParameterType {
    STRING("any text"),
    LONG("a whole number such as 42"),
    DECIMAL("a decimal number such as 12.50"),
    BOOLEAN("true or false"),
    DATE("a date such as 2026-11-30"),
    DATE_TIME("a date with a time such as 2026-11-30T06:00"),
    INSTANT("an instant such as 2026-11-30T06:00:00Z"),
    DOUBLE("a number such as 0.5"),
    SECRET("env:NAME or file:PATH");

    private final String example;

    ParameterType(String example) {
        this.example = example;
    }

    /** The name in files. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** What a value looks like, for messages. */
    public String example() {
        return example;
    }

    /** A written value; empty when it is none of this type. */
    public Optional<ParameterValue> parse(String text) {
        try {
            return Optional.of(read(text));
        } catch (DateTimeException | IllegalArgumentException | BatchException unreadable) {
            return Optional.empty();
        }
    }

    /** Why a text that is well written is no value all the same: it is longer than what is kept. */
    Optional<String> limitBroken(String text) {
        if (this != STRING && this != DECIMAL) {
            return Optional.empty();
        }
        try {
            read(text);
            return Optional.empty();
        } catch (BatchException tooLong) {
            return Optional.ofNullable(tooLong.getMessage());
        } catch (NumberFormatException unreadable) {
            return Optional.empty();
        }
    }

    /** A default, which may be the word {@code today} (dates) or {@code now} (date-times and instants). */
    public Optional<ParameterValue> parseDefault(String text, Clock clock, ZoneId zone) {
        if (this == DATE && text.equals("today")) {
            return Optional.of(new ParameterValue.DateValue(LocalDate.ofInstant(clock.instant(), zone)));
        }
        if (this == DATE_TIME && text.equals("now")) {
            return Optional.of(new ParameterValue.DateTimeValue(LocalDateTime.ofInstant(clock.instant(), zone)));
        }
        if (this == INSTANT && text.equals("now")) {
            return Optional.of(new ParameterValue.InstantValue(clock.instant()));
        }
        return parse(text);
    }

    private ParameterValue read(String text) {
        return switch (this) {
            case STRING -> new ParameterValue.StringValue(text);
            case LONG -> new ParameterValue.LongValue(Long.parseLong(text));
            case DECIMAL -> new ParameterValue.DecimalValue(new BigDecimal(text));
            case BOOLEAN -> new ParameterValue.BooleanValue(flag(text));
            case DATE -> new ParameterValue.DateValue(LocalDate.parse(text));
            case DATE_TIME -> new ParameterValue.DateTimeValue(LocalDateTime.parse(text));
            case INSTANT -> new ParameterValue.InstantValue(Instant.parse(text));
            case DOUBLE -> new ParameterValue.DoubleValue(Double.parseDouble(text));
            case SECRET -> new ParameterValue.SecretReference(text);
        };
    }

    private static boolean flag(String text) {
        return switch (text) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new IllegalArgumentException(text);
        };
    }
}
