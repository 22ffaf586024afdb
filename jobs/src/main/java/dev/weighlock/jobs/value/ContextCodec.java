package dev.weighlock.jobs.value;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** SQL values in an execution context, which keeps fewer types: the others become a map of one type name. */
public final class ContextCodec {
    private ContextCodec() {}

    /**
     * A value as a context keeps it.
     *
     * @throws IllegalArgumentException for bytes, lists and structs
     */
    public static @Nullable Object encode(@Nullable Object value) {
        return switch (value) {
            case null -> null;
            case Boolean _, Integer _, Long _, Double _, BigDecimal _, String _, Instant _ -> value;
            case Byte number -> number.intValue();
            case Short number -> number.intValue();
            case Float number -> number.doubleValue();
            case BigInteger number -> new BigDecimal(number);
            case OffsetDateTime time -> time.toInstant();
            case LocalDate date -> Map.of("date", date.toString());
            case LocalDateTime time -> Map.of("timestamp", time.toString());
            case LocalTime time -> Map.of("time", time.toString());
            case UUID uuid -> Map.of("uuid", uuid.toString());
            default ->
                throw new IllegalArgumentException("a value of the class "
                        + value.getClass().getSimpleName() + " cannot be kept; cast it to a text");
        };
    }

    /** The value that {@link #encode} was given, as SQL binds it. */
    public static @Nullable Object decode(@Nullable Object kept) {
        if (kept instanceof Map<?, ?> map && map.size() == 1) {
            Map.Entry<?, ?> only = map.entrySet().iterator().next();
            return decode(String.valueOf(only.getKey()), String.valueOf(only.getValue()));
        }
        return kept;
    }

    private static Object decode(String type, String text) {
        return switch (type) {
            case "date" -> LocalDate.parse(text);
            case "timestamp" -> LocalDateTime.parse(text);
            case "time" -> LocalTime.parse(text);
            case "uuid" -> UUID.fromString(text);
            default -> text;
        };
    }
}
