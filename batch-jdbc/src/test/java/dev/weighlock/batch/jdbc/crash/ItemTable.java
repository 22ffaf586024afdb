package dev.weighlock.batch.jdbc.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weighlock.batch.testkit.EmbeddedDatabase;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;

/** The table that a job of numbers writes to, in the database that {@code url} names. */
record ItemTable(String url) {
    static ItemTable create(String url) throws SQLException {
        var items = new ItemTable(url);
        // No key: a row written twice would show.
        items.run("CREATE TABLE item (id BIGINT NOT NULL)");
        return items;
    }

    /** The caller closes it. */
    Connection connect() throws SQLException {
        return DriverManager.getConnection("jdbc:" + url, EmbeddedDatabase.USER, "any");
    }

    void run(String sql) throws SQLException {
        try (var connection = connect();
                var statement = connection.createStatement()) {
            statement.executeUpdate(sql);
        }
    }

    long number(String sql) throws SQLException {
        try (var connection = connect();
                var statement = connection.createStatement();
                var row = statement.executeQuery(sql)) {
            row.next();
            return row.getLong(1);
        }
    }

    /** So many rows in a table of items, and none of them twice. */
    void assertEachOnce(String table, long rows) throws SQLException {
        assertThat(number("SELECT count(*) FROM " + table)).isEqualTo(rows);
        assertThat(number("SELECT count(DISTINCT id) FROM " + table)).isEqualTo(rows);
    }

    /** What is committed so far: rows and checkpoint say the same, and no row is there twice. */
    void assertConsistent() throws SQLException {
        var written =
                hasCheckpoints() ? "(SELECT coalesce(sum(write_count), 0) FROM weighlock_checkpoint)" : "count(*)";
        // One statement sees one state: a commit that was on its way at the kill may still come.
        try (var connection = connect();
                var statement = connection.createStatement();
                var row = statement.executeQuery(
                        "SELECT count(*), count(DISTINCT id), %s FROM item".formatted(written))) {
            row.next();
            assertThat(row.getLong(2)).isEqualTo(row.getLong(1));
            assertThat(row.getLong(3)).isEqualTo(row.getLong(1));
        }
    }

    private boolean hasCheckpoints() throws SQLException {
        try (var connection = connect();
                var tables = connection.getMetaData().getTables(null, null, "weighlock_checkpoint", null)) {
            return tables.next();
        }
    }

    /** Every row once, and totals that say so. */
    void assertWhole(int parts) throws SQLException {
        long items = (long) parts * NumbersJob.ITEMS;
        assertEachOnce("item", items);
        assertThat(number("SELECT sum(write_count) FROM weighlock_checkpoint")).isEqualTo(items);
        assertThat(number("SELECT sum(read_count) FROM weighlock_checkpoint")).isEqualTo(items);
    }
}
