package dev.weighlock.batch;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a job, step or partition keeps across restarts: names to values that keep their exact type. Immutable; a change
 * is a new context. Values are {@code null}, {@link Boolean}, {@link Integer}, {@link Long}, {@link Double},
 * {@link BigDecimal}, {@link String}, {@link Instant}, and {@link java.util.List}s and {@link Map}s of them.
 */
public final class ExecutionContext {
    public static final ExecutionContext EMPTY = new ExecutionContext(Map.of());

    /** A stored text that cannot be read, and why. */
    private record Unreadable(String json, BatchException why) {}

    private final Map<String, @Nullable Object> values;
    private final @Nullable Unreadable unreadable;
    /** The stored form, once it was asked for. Whoever does not see another thread's writes the same text again. */
    private @Nullable String json;

    private ExecutionContext(Map<String, ? extends @Nullable Object> values) {
        this.values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
        this.unreadable = null;
    }

    private ExecutionContext(Unreadable unreadable) {
        this.values = Map.of();
        this.unreadable = unreadable;
    }

    /** @throws BatchException INVALID_DEFINITION for a value of another type, TOO_LARGE beyond the bounds */
    public static ExecutionContext of(Map<String, ? extends @Nullable Object> values) {
        return new ExecutionContext(ContextValues.copy(values));
    }

    /** This context with one value set. */
    public ExecutionContext with(String key, @Nullable Object value) {
        var copy = new LinkedHashMap<String, @Nullable Object>(asMap());
        copy.put(key, value);
        return of(copy);
    }

    public Optional<Object> value(String key) {
        return Optional.ofNullable(asMap().get(key));
    }

    /** The value as a long; a stored int widens. */
    public long longValue(String key, long otherwise) {
        return asMap().get(key) instanceof Number number ? ContextValues.exactLong(key, number) : otherwise;
    }

    public Optional<String> string(String key) {
        return value(key).map(Object::toString);
    }

    public boolean isEmpty() {
        return asMap().isEmpty();
    }

    /** Unmodifiable, in the order set. */
    public Map<String, @Nullable Object> asMap() {
        if (unreadable != null) {
            throw new BatchException(
                    unreadable.why.error(), String.valueOf(unreadable.why.getMessage()), unreadable.why);
        }
        return values;
    }

    /** The stored form: a versioned JSON envelope, in which each value carries its type. */
    public String toJson() {
        if (unreadable != null) {
            return unreadable.json;
        }
        var written = json;
        if (written == null) {
            written = ContextJson.write(values);
            json = written;
        }
        return written;
    }

    /**
     * Reads what {@link #toJson} wrote.
     *
     * @throws BatchException UNKNOWN_FORMAT naming the version or key, TOO_LARGE before anything is decoded
     */
    public static ExecutionContext fromJson(String json) {
        return new ExecutionContext(ContextJson.read(json));
    }

    /**
     * What a repository stored. A text that cannot be read does not hide the execution that it belongs to: the context
     * keeps it as it is, and says what is wrong, naming the key, to whoever asks for a value.
     */
    public static ExecutionContext stored(String json) {
        try {
            return fromJson(json);
        } catch (BatchException e) {
            return new ExecutionContext(new Unreadable(json, e));
        }
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof ExecutionContext that
                && values.equals(that.values)
                && Objects.equals(unreadable, that.unreadable);
    }

    @Override
    public int hashCode() {
        return values.hashCode();
    }

    @Override
    public String toString() {
        return unreadable != null ? "unreadable: " + unreadable.why.getMessage() : values.toString();
    }
}
