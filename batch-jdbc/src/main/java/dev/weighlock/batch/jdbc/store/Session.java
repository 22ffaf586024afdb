package dev.weighlock.batch.jdbc.store;

import java.sql.Connection;

/** One connection and the words of its database. Confined to the work that it was given to. */
public record Session(Connection connection, Dialect dialect) {
    /**
     * A statement, in which {@code {now}} is the time, {@code {share}} keeps a row as it is until the commit, {@code {lock}}
     * keeps others from sharing it, and {@code {claim}} does so with those that are free.
     */
    public Sql sql(String text) {
        return dialect.stamp(new Sql(this, text));
    }
}
