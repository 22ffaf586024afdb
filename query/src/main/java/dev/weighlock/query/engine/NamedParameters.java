package dev.weighlock.query.engine;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Turns {@code :name} into the engine's own numbered marks ({@code $1}, {@code $2}, …).
 *
 * <p>A colon begins a name when a letter or underscore follows it and no colon, letter, digit, underscore, quote or
 * closing bracket stands directly before it. So casts ({@code x::int}), slices ({@code a[1:n]}) and struct keys
 * ({@code {'k':v}}) stay as they are; a slice without a start needs a space before its end ({@code a[: n]}). Text inside
 * quotes, dollar quotes and comments is never touched. Every use of one name gets the same number.
 *
 * @param sql the text with numbered marks
 * @param names in the order of their numbers, the first being number 1
 */
public record NamedParameters(String sql, List<String> names) {
    private static final Set<Class<?>> BINDABLE = Set.of(
            Boolean.class,
            Integer.class,
            Long.class,
            BigInteger.class,
            BigDecimal.class,
            Double.class,
            String.class,
            LocalDate.class,
            LocalTime.class,
            LocalDateTime.class,
            OffsetDateTime.class,
            Instant.class,
            UUID.class,
            byte[].class);

    public NamedParameters {
        names = List.copyOf(names);
    }

    public static NamedParameters of(String sql) {
        var numbers = new LinkedHashMap<String, Integer>();
        var out = new StringBuilder(sql.length());
        for (var at = 0; at < sql.length(); ) {
            var end = SqlText.endOfQuoted(sql, at);
            if (end == at && SqlText.beginsName(sql, at)) {
                end = SqlText.endOfWord(sql, at + 1);
                var name = sql.substring(at + 1, end);
                out.append('$').append(numbers.computeIfAbsent(name, _ -> numbers.size() + 1));
            } else {
                end = Math.max(end, at + 1);
                out.append(sql, at, end);
            }
            at = end;
        }
        return new NamedParameters(out.toString(), new ArrayList<>(numbers.keySet()));
    }

    /** Fails where a value has a class that engines cannot bind. */
    static void requireBindable(String name, @Nullable Object value) {
        if (value != null && !BINDABLE.contains(value.getClass())) {
            throw new IllegalArgumentException("the value of :" + name + " has class "
                    + value.getClass().getName() + ", which no engine can bind");
        }
    }
}
