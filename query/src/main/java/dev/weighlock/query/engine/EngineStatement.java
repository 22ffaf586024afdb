package dev.weighlock.query.engine;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * SQL with values beside it.
 *
 * <p>{@code :name} in the text stands for the value of that name and is bound, never pasted. {@link NamedParameters}
 * says exactly where a colon begins a name.
 *
 * @param sql at most 1 MiB of text
 * @param values by name; allowed are null, Boolean, Integer, Long, BigInteger, BigDecimal, Double, String, LocalDate,
 *     LocalTime, LocalDateTime, OffsetDateTime, Instant, UUID and byte[]; a value that the text does not name is
 *     ignored
 */
public record EngineStatement(String sql, Map<String, @Nullable Object> values) {
    /** The longest text that is accepted. */
    public static final int MAX_SQL_CHARS = 1 << 20;

    public EngineStatement {
        if (sql.isBlank()) {
            throw new IllegalArgumentException("the SQL text is blank");
        }
        if (sql.length() > MAX_SQL_CHARS) {
            throw new IllegalArgumentException("the SQL text of " + sql.length() + " characters is over 1 MiB");
        }
        values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
        values.forEach(NamedParameters::requireBindable);
    }

    public static EngineStatement of(String sql) {
        return new EngineStatement(sql, Map.of());
    }
}
