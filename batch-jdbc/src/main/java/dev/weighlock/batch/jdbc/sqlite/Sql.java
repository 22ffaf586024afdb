package dev.weighlock.batch.jdbc.sqlite;

import dev.weighlock.batch.BatchException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * One statement with named parameters ({@code :name}). Plain JDBC underneath: a library for it costs more start-up than
 * everything else that a listing does.
 *
 * <p>Confined to the thread that uses the connection.
 */
final class Sql {
    /** Maps the row that {@code row} stands on. */
    @FunctionalInterface
    interface Mapper<T> {
        T map(Row row) throws SQLException;
    }

    /** Finds out why a guard did not hold. */
    @FunctionalInterface
    interface Refusal {
        BatchException why() throws SQLException;
    }

    private record Parsed(String jdbc, List<String> names) {}

    private static final Map<String, Parsed> PARSED = new ConcurrentHashMap<>();

    private final Connection connection;
    private final String text;
    private final Map<String, @Nullable Object> values = new HashMap<>();

    private Sql(Connection connection, String text) {
        this.connection = connection;
        this.text = text;
    }

    static Sql of(Connection connection, String text) {
        return new Sql(connection, text);
    }

    /** @param value a string, number, boolean, enum or instant, or an Optional of one, or null */
    Sql bind(String name, @Nullable Object value) {
        values.put(name, stored(value));
        return this;
    }

    int update() throws SQLException {
        try (var statement = prepare()) {
            return statement.executeUpdate();
        }
    }

    <T> List<T> list(Mapper<T> mapper) throws SQLException {
        try (var statement = prepare();
                var rows = statement.executeQuery()) {
            return map(rows, mapper);
        }
    }

    /** The first row; all rows are read, so that a RETURNING clause has done all its work. */
    <T> Optional<T> first(Mapper<T> mapper) throws SQLException {
        var rows = list(mapper);
        return rows.isEmpty() ? Optional.empty() : Optional.of(rows.getFirst());
    }

    /** The row of a guarded write, or else the reason why there is none, found in the same transaction. */
    <T> T firstOr(Mapper<T> mapper, Refusal refusal) throws SQLException {
        var row = first(mapper);
        if (row.isEmpty()) {
            throw refusal.why();
        }
        return row.get();
    }

    /** The first row of a query that always has one. */
    <T> T one(Mapper<T> mapper) throws SQLException {
        return first(mapper).orElseThrow(() -> new IllegalStateException("no row from: " + text));
    }

    private static <T> List<T> map(ResultSet rows, Mapper<T> mapper) throws SQLException {
        var result = new ArrayList<T>();
        var row = new Row(rows);
        while (rows.next()) {
            result.add(mapper.map(row));
        }
        return result;
    }

    private PreparedStatement prepare() throws SQLException {
        var parsed = PARSED.computeIfAbsent(text, Sql::parse);
        var statement = connection.prepareStatement(parsed.jdbc());
        try {
            int index = 1;
            for (var name : parsed.names()) {
                if (!values.containsKey(name)) {
                    throw new IllegalStateException("no value for :" + name + " of: " + text);
                }
                statement.setObject(index++, values.get(name));
            }
            return statement;
        } catch (SQLException | RuntimeException e) {
            statement.close();
            throw e;
        }
    }

    static @Nullable Object stored(@Nullable Object value) {
        return switch (value) {
            case null -> null;
            case Optional<?> optional -> stored(optional.orElse(null));
            case OptionalLong optional -> optional.isPresent() ? (Object) optional.getAsLong() : null;
            case Boolean b -> b ? 1 : 0;
            case Enum<?> e -> e.name();
            case Instant instant -> ChronoUnit.MICROS.between(Instant.EPOCH, instant);
            default -> value;
        };
    }

    private static Parsed parse(String text) {
        var jdbc = new StringBuilder(text.length());
        var names = new ArrayList<String>();
        int at = 0;
        while (at < text.length()) {
            char c = text.charAt(at);
            int end = c == ':' ? nameEnd(text, at + 1) : at;
            if (end > at + 1) {
                names.add(text.substring(at + 1, end));
                jdbc.append('?');
                at = end;
            } else {
                jdbc.append(c);
                at++;
            }
        }
        return new Parsed(jdbc.toString(), List.copyOf(names));
    }

    private static int nameEnd(String text, int start) {
        int end = start;
        while (end < text.length() && Character.isLetterOrDigit(text.charAt(end))) {
            end++;
        }
        return end;
    }
}
