package dev.weighlock.jobs.compile;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Objects;
import java.util.Properties;
import org.duckdb.DuckDBDriver;

/** Makes database files as users of data sets do. */
final class DataSetFile {
    private DataSetFile() {}

    static void make(Path file, String... statements) throws SQLException {
        try (Connection connection =
                        Objects.requireNonNull(new DuckDBDriver().connect("jdbc:duckdb:" + file, new Properties()));
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }
}
