package dev.weighlock.app.prove.stand;

import dev.weighlock.batch.repository.JobRepository;
import dev.weighlock.batch.repository.RepositoryHealth;
import java.lang.management.ManagementFactory;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What a report ran on. */
final class Environment {
    private Environment() {}

    /** @param findings gets what could not be found out, as a violation */
    static Map<String, @Nullable Object> of(Target target, Findings findings) {
        Map<String, @Nullable Object> values = new LinkedHashMap<>();
        values.put(
                "wl",
                Objects.requireNonNullElse(
                        Environment.class.getPackage().getImplementationVersion(), "(from classes)"));
        values.put("java", Runtime.version().toString());
        values.put("jvm", System.getProperty("java.vm.name") + ", " + System.getProperty("java.vm.vendor"));
        values.put(
                "os",
                System.getProperty("os.name") + " " + System.getProperty("os.version") + " "
                        + System.getProperty("os.arch"));
        values.put("processors", Runtime.getRuntime().availableProcessors());
        values.put("heap_bytes", Runtime.getRuntime().maxMemory());
        values.put(
                "load_average_at_start",
                ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage());
        try {
            values.put("repository", repository(target));
        } catch (SQLException | RuntimeException e) {
            findings.violation("the repository cannot be looked at: " + e.getMessage());
        }
        return values;
    }

    private static Map<String, @Nullable Object> repository(Target target) throws SQLException {
        Map<String, @Nullable Object> values = new LinkedHashMap<>();
        values.put("url", target.url());
        values.put("temporary", target.temporary());
        try (JobRepository repository = target.open(1)) {
            RepositoryHealth health = repository.health();
            values.put("product", health.product());
            values.put("version", health.version());
            values.put("schema_version", health.schemaVersion());
            values.put("clock_skew_micros", health.clockSkew().toNanos() / 1000);
        }
        values.put("durability", target.durability());
        return values;
    }
}
