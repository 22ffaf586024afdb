package dev.weighlock.jobs.config;

import dev.weighlock.batch.shutdown.ShutdownSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * The settings of {@code weighlock.yaml}. Immutable.
 *
 * @param folder where the file stands, or the current folder without one; relative paths begin here
 * @param file the file that was read, if any
 */
public record Configuration(
        Path folder,
        Optional<Path> file,
        Repository repository,
        Map<String, Connection> connections,
        Map<String, Device> devices,
        Map<String, Pool> pools,
        List<String> classpath,
        Duration keepLogs,
        ShutdownSettings shutdown) {

    public Configuration {
        connections = Map.copyOf(connections);
        devices = Map.copyOf(devices);
        pools = Map.copyOf(pools);
        classpath = List.copyOf(classpath);
    }

    /** What holds without a settings file. */
    public static Configuration defaults(Path folder) {
        return new Configuration(
                folder,
                Optional.empty(),
                Repository.DEFAULT,
                Map.of(),
                Map.of("host", Device.DEFAULT),
                Map.of("default", Pool.DEFAULT),
                List.of(),
                Duration.ofDays(30),
                ShutdownSettings.DEFAULT);
    }

    /**
     * Where executions are recorded.
     *
     * @param url absent: the default place is looked for
     * @param controlUrl a direct way to the same server, around a pooler
     * @param user of the server, as the password: for PostgreSQL only
     * @param pool connections for running work, the control connection not counted
     */
    public record Repository(
            Optional<String> url,
            Optional<SecretText> controlUrl,
            Optional<SecretText> user,
            Optional<SecretText> password,
            Optional<Tls> tls,
            int pool,
            Duration heartbeat,
            Duration lease,
            Duration poll) {
        static final Repository DEFAULT = new Repository(
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                // Workers are as many as processors by default: they, their parent and one to spare.
                Math.clamp(Runtime.getRuntime().availableProcessors() + 2, 10, 200),
                Duration.ofSeconds(5),
                Duration.ofSeconds(30),
                Duration.ofSeconds(1));
    }

    /** A database that jobs name; its address and credentials stay here. */
    public record Connection(
            String url,
            Optional<SecretText> user,
            Optional<SecretText> password,
            Optional<Tls> tls,
            boolean createCheckpoint) {}

    /** How a remote database proves who it is. */
    public record Tls(String mode, Optional<Path> ca) {}

    /** A device's memory; what is absent is derived. */
    public record Device(
            OptionalLong limitBytes,
            OptionalLong headroomBytes,
            OptionalLong reserveBytes,
            long cacheBytes,
            OptionalInt maxActive,
            OptionalLong defaultCapBytes,
            OptionalInt threads) {
        static final Device DEFAULT = new Device(
                OptionalLong.empty(),
                OptionalLong.empty(),
                OptionalLong.empty(),
                0,
                OptionalInt.empty(),
                OptionalLong.empty(),
                OptionalInt.empty());
    }

    /** A share of the queue. */
    public record Pool(int weight, OptionalInt maxRunning, int maxQueued, Duration maxWait, OptionalLong maxCapBytes) {
        static final Pool DEFAULT = new Pool(1, OptionalInt.empty(), 1000, Duration.ofMinutes(5), OptionalLong.empty());
    }
}
