package dev.weighlock.query.device;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The memory of this machine that queries may use: the container's limit when there is one, else what was free at start,
 * minus what the JVM may take for its heap.
 *
 * @param source where the limit comes from, for people
 */
public record HostMemory(long limitBytes, String source, long jvmMaxBytes) {
    private static final long KIB = 1024;

    public long usableBytes() {
        return limitBytes - jvmMaxBytes;
    }

    /** Reads it now. */
    public static HostMemory probe() {
        return probe(Path.of("/"), Runtime.getRuntime().maxMemory());
    }

    static HostMemory probe(Path root, long jvmMaxBytes) {
        OptionalLong total = meminfo(root, "MemTotal:");
        Optional<HostMemory> container = containerLimit(root)
                .filter(limit -> total.isEmpty() || limit.limitBytes() < total.getAsLong())
                .map(limit -> new HostMemory(limit.limitBytes(), limit.source(), jvmMaxBytes));
        return container.orElseGet(() -> machine(root, jvmMaxBytes));
    }

    /** A host profile from this memory, with as many slots as processors, but none smaller than the least cap. */
    public ProfileBuilder profile() {
        ProfileBuilder builder = DeviceProfile.device(0, DeviceKind.HOST)
                .limit(
                        usableBytes(),
                        source + " " + limitBytes + " bytes - JVM maximum (-Xmx) " + jvmMaxBytes + " bytes");
        long slots = builder.queryShareBytes() / builder.minimumCapBytes;
        return builder.maxActive(Math.clamp(slots, 1, builder.maxActive));
    }

    private static HostMemory machine(Path root, long jvmMaxBytes) {
        OptionalLong available = meminfo(root, "MemAvailable:");
        if (available.isPresent()) {
            return new HostMemory(available.getAsLong(), "memory available at start", jvmMaxBytes);
        }
        long half =
                ManagementFactory.getOperatingSystemMXBean() instanceof com.sun.management.OperatingSystemMXBean system
                        ? system.getTotalMemorySize() / 2
                        : 0;
        return new HostMemory(half, "half of the machine's memory (it does not say what is available)", jvmMaxBytes);
    }

    private record Limit(long limitBytes, String source) {}

    /** The least limit from this process's control group up to the root. */
    private static Optional<Limit> containerLimit(Path root) {
        for (String line : lines(root.resolve("proc/self/cgroup"))) {
            String[] parts = line.split(":", 3);
            if (parts.length == 3 && parts[0].equals("0")) {
                return leastLimit(root.resolve("sys/fs/cgroup"), parts[2], "memory.max");
            }
            if (parts.length == 3 && List.of(parts[1].split(",", -1)).contains("memory")) {
                return leastLimit(root.resolve("sys/fs/cgroup/memory"), parts[2], "memory.limit_in_bytes");
            }
        }
        return Optional.empty();
    }

    private static Optional<Limit> leastLimit(Path mount, String group, String file) {
        Limit least = null;
        Path folder = mount.resolve(group.substring(1)).normalize();
        while (folder != null && folder.startsWith(mount)) {
            OptionalLong limit = limit(folder.resolve(file));
            if (limit.isPresent() && (least == null || limit.getAsLong() < least.limitBytes())) {
                least = new Limit(limit.getAsLong(), "container limit (" + file + ")");
            }
            folder = folder.getParent();
        }
        return Optional.ofNullable(least);
    }

    private static OptionalLong limit(Path file) {
        List<String> lines = lines(file);
        if (lines.isEmpty() || !lines.getFirst().strip().matches("\\d{1,18}")) {
            return OptionalLong.empty(); // "max", an absent file, or the huge number that means none
        }
        return OptionalLong.of(Long.parseLong(lines.getFirst().strip()));
    }

    private static OptionalLong meminfo(Path root, String key) {
        for (String line : lines(root.resolve("proc/meminfo"))) {
            if (line.startsWith(key)) {
                return OptionalLong.of(Long.parseLong(
                                line.substring(key.length()).replace("kB", "").strip())
                        * KIB);
            }
        }
        return OptionalLong.empty();
    }

    private static List<String> lines(Path file) {
        try {
            return Files.readAllLines(file);
        } catch (IOException absent) {
            return List.of();
        }
    }
}
