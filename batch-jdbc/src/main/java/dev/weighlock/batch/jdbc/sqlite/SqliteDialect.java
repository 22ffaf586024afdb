package dev.weighlock.batch.jdbc.sqlite;

import dev.weighlock.batch.jdbc.store.Dialect;
import dev.weighlock.batch.jdbc.store.Sql;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/** Instants are microseconds of this process's clock, flags are numbers, and one writer needs no locks on rows. */
record SqliteDialect(Clock clock) implements Dialect {
    @Override
    public String now() {
        return ":now";
    }

    @Override
    public String share() {
        return "";
    }

    @Override
    public String lock() {
        return "";
    }

    @Override
    public String claim() {
        return "";
    }

    @Override
    public Sql stamp(Sql sql) {
        return sql.bind("now", clock.instant());
    }

    @Override
    public Object bound(Instant instant) {
        return ChronoUnit.MICROS.between(Instant.EPOCH, instant);
    }

    @Override
    public Object bound(boolean flag) {
        return flag ? 1 : 0;
    }

    @Override
    public @Nullable Instant instant(ResultSet rows, String column) throws SQLException {
        long micros = rows.getLong(column);
        return rows.wasNull() ? null : Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
    }
}
