package dev.weighlock.app.doctor;

import dev.weighlock.app.wiring.Workspace;
import dev.weighlock.batch.BatchException;
import dev.weighlock.jobs.StepFailure;
import dev.weighlock.jobs.database.ConfiguredDatabases;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/** Whether the databases that the settings name answer. */
final class ConnectionLook {
    private ConnectionLook() {}

    static List<Finding> findings(Workspace here) {
        List<Finding> findings = new ArrayList<>();
        try (ConfiguredDatabases databases = new ConfiguredDatabases(here.settings(), here.environment())) {
            for (String name : new TreeSet<>(here.settings().connections().keySet())) {
                findings.add(finding(databases, name));
            }
        }
        return findings;
    }

    private static Finding finding(ConfiguredDatabases databases, String name) {
        try (var connection = databases.named(name).connect()) {
            var product = connection.getMetaData();
            return Finding.ok(
                    "connection",
                    name + ": " + product.getDatabaseProductName() + " " + product.getDatabaseProductVersion());
        } catch (SQLException | BatchException | StepFailure e) {
            return Finding.warning(
                    "connection",
                    name + " does not answer: " + e.getMessage(),
                    "check its address and rights under connections in weighlock.yaml");
        }
    }
}
