package dev.weighlock.batch.jdbc.store;

import dev.weighlock.batch.BatchException;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * One statement with named parameters ({@code :name}). Plain JDBC underneath: a library for it costs more start-up than
 * everything else that a listing does.
 *
 * <p>Confined to the thread that uses the connection.
 */
public final class Sql {
    /** Maps the row that {@code row} stands on. */
    @FunctionalInterface
    public interface Mapper<T> {
        T map(Row row) throws SQLException;
    }

    /** Finds out why a guard did not hold. */
    @FunctionalInterface
    public interface Refusal {
        BatchException why() throws SQLException;
    }

    private final Session session;
    private final String text;
    private final Map<String, @Nullable Object> values = new HashMap<>();

    Sql(Session session, String text) {
        this.session = session;
        this.text = text;
    }

    /** @param value a string, number, boolean, enum or instant, or an Optional of one, or null */
    public Sql bind(String name, @Nullable Object value) {
        values.put(name, stored(value));
        return this;
    }

    public int update() throws SQLException {
        try (var statement = prepare()) {
            return statement.executeUpdate();
        }
    }

    public <T> List<T> list(Mapper<T> mapper) throws SQLException {
        try (var statement = prepare();
                var rows = statement.executeQuery()) {
            return map(rows, mapper);
        }
    }

    /** The first row; all rows are read, so that a RETURNING clause has done all its work. */
    public <T> Optional<T> first(Mapper<T> mapper) throws SQLException {
        var rows = list(mapper);
        return rows.isEmpty() ? Optional.empty() : Optional.of(rows.getFirst());
    }

    /** The row of a guarded write, or else the reason why there is none, found in the same transaction. */
    public <T> T firstOr(Mapper<T> mapper, Refusal refusal) throws SQLException {
        var row = first(mapper);
        if (row.isEmpty()) {
            throw refusal.why();
        }
        return row.get();
    }

    /** The first row of a query that always has one. */
    public <T> T one(Mapper<T> mapper) throws SQLException {
        return first(mapper).orElseThrow(() -> new IllegalStateException("no row from: " + text));
    }

    private <T> List<T> map(ResultSet rows, Mapper<T> mapper) throws SQLException {
        var result = new ArrayList<T>();
        var row = new Row(rows, session.dialect());
        while (rows.next()) {
            result.add(mapper.map(row));
        }
        return result;
    }

    private PreparedStatement prepare() throws SQLException {
        var parsed = StatementText.of(session.dialect(), text);
        var statement = session.connection().prepareStatement(parsed.jdbc());
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

    private @Nullable Object stored(@Nullable Object value) {
        return switch (value) {
            case null -> null;
            case Optional<?> optional -> stored(optional.orElse(null));
            case OptionalLong optional -> optional.isPresent() ? (Object) optional.getAsLong() : null;
            case Boolean flag -> session.dialect().bound(flag);
            case Enum<?> e -> e.name();
            case Instant instant -> session.dialect().bound(instant);
            default -> value;
        };
    }
}
