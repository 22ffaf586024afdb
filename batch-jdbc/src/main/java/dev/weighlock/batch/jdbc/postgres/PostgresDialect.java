package dev.weighlock.batch.jdbc.postgres;

import dev.weighlock.batch.jdbc.store.Dialect;
import dev.weighlock.batch.jdbc.store.Sql;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import org.jspecify.annotations.Nullable;

/** The database tells the time: nodes whose clocks differ write one order of instants. */
final class PostgresDialect implements Dialect {
    @Override
    public String now() {
        return "statement_timestamp()";
    }

    /** The row that a statement asks for its owner's epoch is named so. */
    @Override
    public String share() {
        return "FOR SHARE OF owner";
    }

    @Override
    public String lock() {
        return "FOR UPDATE";
    }

    @Override
    public String claim() {
        return "FOR UPDATE SKIP LOCKED";
    }

    @Override
    public Sql stamp(Sql sql) {
        return sql;
    }

    @Override
    public Object bound(Instant instant) {
        return instant.atOffset(ZoneOffset.UTC);
    }

    @Override
    public Object bound(boolean flag) {
        return flag;
    }

    @Override
    public @Nullable Instant instant(ResultSet rows, String column) throws SQLException {
        var value = rows.getObject(column, OffsetDateTime.class);
        return value == null ? null : value.toInstant();
    }
}
