package dev.weighlock.jobs.value;

import java.math.BigDecimal;
import java.time.OffsetDateTime;

/** A value as one text: the same for the same value on every machine. */
public final class ValueText {
    private ValueText() {}

    public static String of(Object value) {
        return switch (value) {
            case BigDecimal number -> number.toPlainString();
            case OffsetDateTime time -> time.toInstant().toString();
            default -> value.toString();
        };
    }
}
