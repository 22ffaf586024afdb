package dev.weighlock.app.wiring;

import dev.weighlock.duckdb.DuckDbEngine;
import dev.weighlock.duckdb.DuckDbSettings;
import dev.weighlock.host.PrivateFolder;
import dev.weighlock.jobs.config.Configuration;
import dev.weighlock.query.QueryException;
import dev.weighlock.query.admission.AdmissionConfig;
import dev.weighlock.query.admission.PoolConfig;
import dev.weighlock.query.backend.BackendSettings;
import dev.weighlock.query.backend.QueryBackend;
import dev.weighlock.query.device.DeviceKind;
import dev.weighlock.query.device.DeviceProfile;
import dev.weighlock.query.device.HostBudget;
import dev.weighlock.query.device.HostShare;
import dev.weighlock.query.device.ProfileBuilder;
import dev.weighlock.query.engine.StatementPlanner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Opens the query backend that settings and machine allow. */
public final class Backends {
    private Backends() {}

    /** A backend, its engine and the memory they use; closing ends them in this order. */
    public record Opened(QueryBackend backend, DuckDbEngine engine, HostShare share) implements AutoCloseable {
        @Override
        public void close() {
            try (share;
                    engine) {
                backend.close();
            }
        }
    }

    /** For queries outside of jobs: spills below the system's temporary folder and leaves no state folder. */
    public static Opened open(Workspace workspace) throws IOException {
        return open(
                workspace,
                PrivateFolder.ofUser(Path.of(System.getProperty("java.io.tmpdir")))
                        .resolve("spill"));
    }

    /**
     * The device as a process that begins now would have it, and who holds what of the machine besides. The share is claimed for
     * this look alone.
     *
     * @param refusal why it would have none; null where it has one
     */
    public record Outlook(
            @Nullable DeviceProfile profile, @Nullable QueryException refusal, HostBudget.State budget) {}

    /** Looks without opening a backend or an engine. */
    public static Outlook outlook(Workspace workspace) throws IOException {
        Configuration.Device device =
                Objects.requireNonNull(workspace.settings().devices().get("host"));
        HostBudget budget = MachineBudget.of(workspace.environment());
        HostBudget.State others = budget.state();
        ProfileBuilder profile = figures(device);
        try (HostShare share = claim(device, profile, budget)) {
            return new Outlook(profile.limit(share).resolve(), null, others);
        } catch (QueryException refusal) {
            return new Outlook(null, refusal, others);
        }
    }

    /** What parses SQL and runs none. The caller closes it. */
    public static StatementPlanner openPlanner() {
        return DuckDbEngine.openPlanner();
    }

    /**
     * Claims this process's share of the machine and opens a backend that stays within it.
     *
     * @throws dev.weighlock.query.QueryException SERVICE_OVERLOADED where other processes hold too much
     */
    public static Opened open(Workspace workspace, Path spillRoot) throws IOException {
        Configuration settings = workspace.settings();
        Configuration.Device device = Objects.requireNonNull(settings.devices().get("host"));
        Files.createDirectories(spillRoot);
        ProfileBuilder profile = figures(device);
        HostShare share = claim(device, profile, MachineBudget.of(workspace.environment()));
        try {
            return open(settings, device, profile.limit(share).resolve(), share, spillRoot);
        } catch (RuntimeException e) {
            share.close();
            throw e;
        }
    }

    private static Opened open(
            Configuration settings,
            Configuration.Device device,
            DeviceProfile profile,
            HostShare share,
            Path spillRoot) {
        int threads = device.threads().orElse(Runtime.getRuntime().availableProcessors());
        DuckDbSettings defaults = DuckDbSettings.of(spillRoot);
        DuckDbEngine engine =
                DuckDbEngine.open(new DuckDbSettings(defaults.tempRoot(), threads, defaults.plannerBytes())
                        .within(profile.reserveBytes()));
        try {
            BackendSettings limits = BackendSettings.of(profile).withAdmission(admission(settings.pools()));
            return new Opened(QueryBackend.open(limits, engine), engine, share);
        } catch (RuntimeException e) {
            engine.close();
            throw e;
        }
    }

    private static HostShare claim(Configuration.Device device, ProfileBuilder profile, HostBudget budget) {
        return device.limitBytes().isPresent()
                ? budget.claim(device.limitBytes().getAsLong())
                : budget.claimShare(profile.leastLimitBytes());
    }

    /** All figures of the device but its limit. */
    private static ProfileBuilder figures(Configuration.Device device) {
        ProfileBuilder builder = DeviceProfile.device(0, DeviceKind.HOST).cacheCap(device.cacheBytes());
        device.headroomBytes().ifPresent(builder::headroom);
        device.reserveBytes().ifPresent(builder::reserve);
        device.maxActive().ifPresent(builder::maxActive);
        device.defaultCapBytes().ifPresent(builder::defaultQueryLimit);
        return builder;
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
