package dev.weighlock.jobs.config;

import static dev.weighlock.jobs.yaml.Scalars.DURATION_TEXT;
import static dev.weighlock.jobs.yaml.Scalars.SIZE_TEXT;

import dev.weighlock.batch.shutdown.ShutdownSettings;
import dev.weighlock.jobs.yaml.Position;
import dev.weighlock.jobs.yaml.Problem;
import dev.weighlock.jobs.yaml.Problems;
import dev.weighlock.jobs.yaml.ScalarShape;
import dev.weighlock.jobs.yaml.YamlDocument;
import dev.weighlock.jobs.yaml.YamlNode.Entries;
import dev.weighlock.jobs.yaml.YamlNode.Entry;
import dev.weighlock.jobs.yaml.YamlNode.Scalar;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Function;

/** Finds and reads {@code weighlock.yaml}. */
public final class ConfigurationFile {
    public static final String NAME = "weighlock.yaml";

    private final Path folder;

    private ConfigurationFile(Path folder) {
        this.folder = folder;
    }

    /** What became of the settings. */
    public sealed interface Read {
        record Settings(Configuration configuration) implements Read {}

        record Refused(List<Problem> problems) implements Read {
            public Refused {
                problems = List.copyOf(problems);
            }
        }
    }

    /** The nearest settings file in {@code start} or a folder above it. */
    public static Optional<Path> find(Path start) {
        for (Path folder = start.toAbsolutePath().normalize(); folder != null; folder = folder.getParent()) {
            Path file = folder.resolve(NAME);
            if (Files.isRegularFile(file)) {
                return Optional.of(file);
            }
        }
        return Optional.empty();
    }

    /** The settings that hold for {@code start}: those of the nearest file, else the defaults. */
    public static Read nearest(Path start) {
        return find(start)
                .map(ConfigurationFile::read)
                .orElseGet(() -> new Read.Settings(
                        Configuration.defaults(start.toAbsolutePath().normalize())));
    }

    /**
     * Reads one file.
     *
     * @throws ConfigurationException where the file cannot be read at all
     */
    public static Read read(Path file) {
        try {
            return parse(file, Files.readString(file));
        } catch (IOException unreadable) {
            throw new ConfigurationException(
                    "the settings file " + file + " cannot be read; check its rights and that it is UTF-8", unreadable);
        }
    }

    static Read parse(Path file, String text) {
        Problems problems = new Problems(file.toString());
        Optional<Entries> root = saysNothing(text)
                ? Optional.of(new Entries(Position.START, List.of()))
                : YamlDocument.parse(text, problems);
        root.ifPresent(entries -> ConfigurationGrammar.ROOT.check("settings", entries, problems));
        root.ifPresent(entries -> checkTimes(entries, problems));
        root.ifPresent(entries -> checkShutdown(entries, problems));
        if (root.isEmpty() || problems.hasErrors()) {
            return new Read.Refused(problems.errors());
        }
        Path folder = Optional.ofNullable(file.toAbsolutePath().getParent()).orElseThrow();
        return new Read.Settings(new ConfigurationFile(folder).configuration(file, root.get()));
    }

    /** A file that was made and not written yet, or whose lines are all comments, means the defaults. */
    private static boolean saysNothing(String text) {
        return text.lines()
                .allMatch(line -> line.isBlank() || line.stripLeading().startsWith("#"));
    }

    private static void checkTimes(Entries root, Problems problems) {
        Entries map = root.map("repository").orElse(new Entries(root.at(), List.of()));
        Configuration.Repository fallback = Configuration.Repository.DEFAULT;
        Duration heartbeat = map.read("heartbeat", DURATION_TEXT).orElse(fallback.heartbeat());
        Duration lease = map.read("lease", DURATION_TEXT).orElse(fallback.lease());
        Duration poll = map.read("poll", DURATION_TEXT).orElse(fallback.poll());
        if (heartbeat.toMillis() < 200 || heartbeat.toSeconds() > 60) {
            problems.error(map.at(), "'heartbeat' is outside 200ms to 1m", "choose one inside");
        }
        if (lease.compareTo(heartbeat.multipliedBy(3)) < 0) {
            problems.error(map.at(), "'lease' is shorter than three heartbeats", "make it longer");
        }
        if (poll.toMillis() < 100 || poll.toSeconds() > 60) {
            problems.error(map.at(), "'poll' is outside 100ms to 1m", "choose one inside");
        }
    }

    private static void checkShutdown(Entries root, Problems problems) {
        try {
            shutdown(root);
        } catch (IllegalArgumentException outside) {
            Entries map = root.map("shutdown").orElse(root);
            problems.error(map.at(), "'shutdown': " + outside.getMessage(), "choose one inside");
        }
    }

    /** The wait for tasks is as long as the whole where nothing else is said. */
    private static ShutdownSettings shutdown(Entries root) {
        Entries map = root.map("shutdown").orElse(new Entries(root.at(), List.of()));
        ShutdownSettings fallback = ShutdownSettings.DEFAULT;
        Duration deadline = map.read("deadline", DURATION_TEXT).orElse(fallback.deadline());
        return new ShutdownSettings(
                deadline,
                map.read("task_join", DURATION_TEXT).orElse(deadline),
                map.read("telemetry_flush", DURATION_TEXT).orElse(fallback.telemetryFlush()),
                map.read("pool_close", DURATION_TEXT).orElse(fallback.poolClose()));
    }

    private Configuration configuration(Path file, Entries root) {
        Map<String, Configuration.Device> devices = each(root, "devices", ConfigurationFile::device);
        Map<String, Configuration.Pool> pools = each(root, "pools", ConfigurationFile::pool);
        devices.putIfAbsent("host", Configuration.Device.DEFAULT);
        pools.putIfAbsent("default", Configuration.Pool.DEFAULT);
        List<String> classpath = root.list("classpath").stream()
                .map(node -> ((Scalar) node).text())
                .toList();
        Duration keep = root.map("logs")
                .flatMap(logs -> logs.read("keep", DURATION_TEXT))
                .orElse(Duration.ofDays(30));
        return new Configuration(
                folder,
                Optional.of(file),
                repository(root),
                each(root, "connections", this::connection),
                devices,
                pools,
                classpath,
                keep,
                shutdown(root));
    }

    private static <T> Map<String, T> each(Entries root, String key, Function<Entries, T> reader) {
        Map<String, T> values = new LinkedHashMap<>();
        for (Entry entry : root.map(key).map(Entries::entries).orElse(List.of())) {
            values.put(entry.key(), reader.apply((Entries) entry.value()));
        }
        return values;
    }

    private Configuration.Repository repository(Entries root) {
        Entries map = root.map("repository").orElse(new Entries(root.at(), List.of()));
        Configuration.Repository fallback = Configuration.Repository.DEFAULT;
        return new Configuration.Repository(
                map.text("url"),
                secret(map, "control_url"),
                secret(map, "user"),
                secret(map, "password"),
                tls(map),
                map.read("pool", ConfigurationGrammar.POOL_SIZE)
                        .map(Long::intValue)
                        .orElse(fallback.pool()),
                map.read("heartbeat", DURATION_TEXT).orElse(fallback.heartbeat()),
                map.read("lease", DURATION_TEXT).orElse(fallback.lease()),
                map.read("poll", DURATION_TEXT).orElse(fallback.poll()));
    }

    private Configuration.Connection connection(Entries map) {
        return new Configuration.Connection(
                map.text("url").orElseThrow(),
                secret(map, "user"),
                secret(map, "password"),
                tls(map),
                map.text("checkpoint").filter("create"::equals).isPresent());
    }

    private Optional<Configuration.Tls> tls(Entries map) {
        return map.map("tls")
                .map(keys -> new Configuration.Tls(
                        keys.text("mode").orElse("verify-full"), keys.text("ca").map(folder::resolve)));
    }

    private Optional<SecretText> secret(Entries map, String key) {
        return map.text(key).map(text -> new SecretText(text, folder));
    }

    private static Configuration.Device device(Entries map) {
        return new Configuration.Device(
                size(map, "limit"),
                size(map, "headroom"),
                size(map, "reserve"),
                size(map, "cache").orElse(0),
                count(map, "max_active"),
                size(map, "default_cap"),
                count(map, "threads"));
    }

    private static Configuration.Pool pool(Entries map) {
        Configuration.Pool fallback = Configuration.Pool.DEFAULT;
        return new Configuration.Pool(
                count(map, "weight").orElse(fallback.weight()),
                count(map, "max_running"),
                count(map, "max_queued").orElse(fallback.maxQueued()),
                map.read("max_wait", DURATION_TEXT).orElse(fallback.maxWait()),
                size(map, "max_cap"));
    }

    private static OptionalLong size(Entries map, String key) {
        return map.read(key, SIZE_TEXT).map(OptionalLong::of).orElse(OptionalLong.empty());
    }

    private static OptionalInt count(Entries map, String key) {
        ScalarShape<Long> count = ConfigurationGrammar.COUNT;
        return map.read(key, count)
                .map(number -> OptionalInt.of(number.intValue()))
                .orElse(OptionalInt.empty());
    }
}
