package dev.weighlock.app.doctor;

import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;

/** The versions of what runs. */
final class ProgramLook {
    private static final int JAVA = 25;

    private ProgramLook() {}

    static List<Finding> findings() {
        String own = ProgramLook.class.getPackage().getImplementationVersion();
        int java = Runtime.version().feature();
        return List.of(
                Finding.ok("wl", own == null ? "from classes" : own),
                java < JAVA
                        ? Finding.problem("Java", Runtime.version() + " is too old", "install JDK " + JAVA)
                        : Finding.ok(
                                "Java",
                                Runtime.version() + " on " + System.getProperty("os.name") + " "
                                        + System.getProperty("os.arch")),
                duckDb());
    }

    /** Opens an empty instance, so that a machine where the engine does not load is found out. */
    private static Finding duckDb() {
        try (var connection = DriverManager.getConnection("jdbc:duckdb:")) {
            return Finding.ok("DuckDB", connection.getMetaData().getDatabaseProductVersion());
        } catch (SQLException | LinkageError e) {
            return Finding.problem(
                    "DuckDB", "the engine does not load: " + e.getMessage(), "see the README for supported machines");
        }
    }
}
