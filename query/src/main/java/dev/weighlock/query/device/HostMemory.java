package dev.weighlock.query.device;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The memory of this machine as this process sees it.
 *
 * @param totalBytes what all processes that share the machine may use together: the container's limit when there is one,
 *     else nine tenths of the machine's memory; the same for each of them at any time
 * @param source where the total comes from, for people
 * @param budget the name of what is shared: processes under the limit of one container share that limit, all others the
 *     machine
 * @param freeBytes what is free now, which never makes the total larger; the total where a container's limit holds
 * @param jvmMaxBytes what this JVM may take for its heap
 */
public record HostMemory(long totalBytes, String source, String budget, long freeBytes, long jvmMaxBytes) {
    private static final long KIB = 1024;
    private static final int SYSTEM_PART = 10;

    /** A property of the JVM: a folder that stands for {@code /}, for tests where no control group can be made. */
    private static final String ROOT = "weighlock.machine.root";

    /** Reads it now. */
    public static HostMemory probe() {
        return probe(
                Path.of(System.getProperty(ROOT, "/")), Runtime.getRuntime().maxMemory());
    }

    static HostMemory probe(Path root, long jvmMaxBytes) {
        OptionalLong machine = meminfo(root, "MemTotal:");
        return containerLimit(root)
                .filter(limit -> machine.isEmpty() || limit.limitBytes() < machine.getAsLong())
                .map(limit -> new HostMemory(
                        limit.limitBytes(), limit.source(), limit.budget(), limit.limitBytes(), jvmMaxBytes))
                .orElseGet(() -> machine(root, machine, jvmMaxBytes));
    }

    private static HostMemory machine(Path root, OptionalLong machine, long jvmMaxBytes) {
        long all = machine.orElseGet(HostMemory::totalOfTheSystem);
        long total = all - all / SYSTEM_PART;
        long free = meminfo(root, "MemAvailable:").orElse(total);
        return new HostMemory(total, "nine tenths of the machine's memory", "machine", free, jvmMaxBytes);
    }

    private static long totalOfTheSystem() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof com.sun.management.OperatingSystemMXBean system
                ? system.getTotalMemorySize()
                : 0;
    }

    private record Limit(long limitBytes, String source, String budget) {}

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
                least = new Limit(limit.getAsLong(), "container limit (" + file + ")", budget(mount, folder));
            }
            folder = folder.getParent();
        }
        return Optional.ofNullable(least);
    }

    /** A file name of the control group: its path where that is a plain one, a digest otherwise. */
    private static String budget(Path mount, Path group) {
        String path = mount.relativize(group).toString();
        return path.matches("[A-Za-z0-9._-]{0,64}")
                ? "group-" + path
                : "group-" + Integer.toHexString(path.hashCode()) + "-" + path.length();
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
