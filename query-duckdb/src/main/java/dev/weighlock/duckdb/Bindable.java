package dev.weighlock.duckdb;

import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Values as the driver binds them without asking the JVM's time zone. */
final class Bindable {
    private Bindable() {}

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
