package dev.weighlock.bench;

import dev.weighlock.query.engine.SessionRequest;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Properties;
import org.duckdb.DuckDBConnection;
import org.duckdb.DuckDBDriver;
import org.jspecify.annotations.Nullable;

/** The driver alone, with the limits that the runtime gives its instances. */
final class PlainDuckDb {
    private PlainDuckDb() {}

    /** The limit that the runtime gives an instance for a grant. */
    static long engineBytes(long grantBytes) {
        return new SessionRequest("plain", grantBytes, List.of(), List.of(), ZoneOffset.UTC, 0).engineBytes();
    }

    /** A new instance in memory. */
    static DuckDBConnection open(long memoryBytes, int threads, String tempDirectory) throws SQLException {
        var properties = new Properties();
        properties.setProperty("memory_limit", memoryBytes + "B");
        properties.setProperty("threads", Integer.toString(threads));
        properties.setProperty("async_threads", "1");
        properties.setProperty("temp_directory", tempDirectory);
        return (DuckDBConnection) new DuckDBDriver().connect("jdbc:duckdb:", properties);
    }

    /** All rows, each value as the driver gives it. */
    static List<List<@Nullable Object>> rows(Connection connection, String sql) throws SQLException {
        List<List<@Nullable Object>> rows = new ArrayList<>();
        try (var statement = connection.createStatement();
                var result = statement.executeQuery(sql)) {
            int columns = result.getMetaData().getColumnCount();
            while (result.next()) {
                List<@Nullable Object> row = new ArrayList<>(columns);
                for (int column = 1; column <= columns; column++) {
                    row.add(result.getObject(column));
                }
                rows.add(Collections.unmodifiableList(row));
            }
        }
        return rows;
    }
}
