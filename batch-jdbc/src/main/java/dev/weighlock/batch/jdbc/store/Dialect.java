package dev.weighlock.batch.jdbc.store;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The few things that the databases say differently. Pure but for the clock; thread-safe. */
public interface Dialect {
    /** The expression for the time of a statement. */
    String now();

    /** What follows a query whose rows nobody may change until the transaction ends. */
    String share();

    /** What follows a query whose rows nobody else may even share until the transaction ends. */
    String lock();

    /** The same, passing over rows that somebody else holds. */
    String claim();

    /** Binds what {@link #now} refers to. */
    Sql stamp(Sql sql);

    Object bound(Instant instant);

    Object bound(boolean flag);

    /** Null where the column is. */
    @Nullable
    Instant instant(ResultSet rows, String column) throws SQLException;
}
