package dev.weighlock.app.wiring;

import dev.weighlock.duckdb.DuckDbEngine;
import dev.weighlock.duckdb.DuckDbSettings;
import dev.weighlock.jobs.config.Configuration;
import dev.weighlock.query.admission.AdmissionConfig;
import dev.weighlock.query.admission.PoolConfig;
import dev.weighlock.query.backend.BackendSettings;
import dev.weighlock.query.backend.QueryBackend;
import dev.weighlock.query.device.DeviceProfile;
import dev.weighlock.query.device.HostMemory;
import dev.weighlock.query.device.ProfileBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Objects;

/** Opens the query backend that settings and machine allow. */
public final class Backends {
    private Backends() {}

    /** A backend with its engine; closing ends the backend first. */
    public record Opened(QueryBackend backend, DuckDbEngine engine) implements AutoCloseable {
        @Override
        public void close() {
            try (engine) {
                backend.close();
            }
        }
    }

    /** For queries outside of jobs: spills below the system's temporary folder and leaves no state folder. */
    public static Opened open(Workspace workspace) throws IOException {
        String user = System.getProperty("user.name", "user").replaceAll("[^A-Za-z0-9._-]", "_");
        Path root =
                Path.of(System.getProperty("java.io.tmpdir")).toAbsolutePath().resolve("weighlock-" + user);
        if (!Files.isDirectory(root)) {
            Files.createDirectories(
                    root, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        }
        return open(workspace.settings(), root.resolve("spill"));
    }

    static Opened open(Configuration settings, Path spillRoot) throws IOException {
        Configuration.Device device = Objects.requireNonNull(settings.devices().get("host"));
        int threads = device.threads().orElse(Runtime.getRuntime().availableProcessors());
        Files.createDirectories(spillRoot);
        DuckDbSettings defaults = DuckDbSettings.of(spillRoot);
        DuckDbEngine engine =
                DuckDbEngine.open(new DuckDbSettings(defaults.tempRoot(), threads, defaults.plannerBytes()));
        try {
            BackendSettings limits = BackendSettings.of(profile(device)).withAdmission(admission(settings.pools()));
            return new Opened(QueryBackend.open(limits, engine), engine);
        } catch (RuntimeException e) {
            engine.close();
            throw e;
        }
    }

    private static DeviceProfile profile(Configuration.Device device) {
        HostMemory memory = HostMemory.probe();
        ProfileBuilder builder = memory.profile();
        device.limitBytes().ifPresent(bytes -> builder.limit(bytes, "weighlock.yaml"));
        device.headroomBytes().ifPresent(builder::headroom);
        device.reserveBytes().ifPresent(builder::reserve);
        builder.cacheCap(device.cacheBytes());
        device.maxActive().ifPresent(builder::maxActive);
        device.defaultCapBytes().ifPresent(builder::defaultQueryLimit);
        return builder.resolve();
    }

    private static AdmissionConfig admission(Map<String, Configuration.Pool> pools) {
        return AdmissionConfig.DEFAULT.withPools(pools.entrySet().stream()
                .map(entry -> pool(entry.getKey(), entry.getValue()))
                .toArray(PoolConfig[]::new));
    }

    private static PoolConfig pool(String name, Configuration.Pool pool) {
        return PoolConfig.named(name)
                .withWeight(pool.weight())
                .withMaxRunning(pool.maxRunning().orElse(Integer.MAX_VALUE))
                .withMaxQueued(pool.maxQueued())
                .withMaxWait(pool.maxWait())
                .withLargestCap(pool.maxCapBytes().orElse(Long.MAX_VALUE));
    }
}
