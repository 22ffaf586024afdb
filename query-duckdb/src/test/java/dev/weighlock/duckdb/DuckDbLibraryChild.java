package dev.weighlock.duckdb;

import java.io.File;
import java.util.Properties;
import org.duckdb.DuckDBDriver;

/** The other process of {@link DuckDbLibraryTest}: asks the driver something and looks into its temp folder. */
final class DuckDbLibraryChild {
    private DuckDbLibraryChild() {}

    @SuppressWarnings("SystemOut")
    public static void main(String[] args) throws Exception {
        try (var connection = new DuckDBDriver().connect("jdbc:duckdb:", new Properties());
                var statement = connection.createStatement();
                var result = statement.executeQuery("SELECT 42")) {
            result.next();
            var unpacked = new File(args[0]).list((folder, name) -> name.startsWith("libduckdb"));
            System.out.println(result.getInt(1) + ", "
                    + (unpacked == null || unpacked.length == 0 ? "no library unpacked" : "unpacked " + unpacked[0]));
        }
    }
}
