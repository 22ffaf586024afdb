package dev.weighlock.query.backend;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;

/**
 * This process's own memory outside the JVM's: what the system counts as resident and not backed by a file, less all that
 * the JVM's pools ever used at once, because a page that a pool has used stays resident.
 */
final class NativeMemory {
    private static final Path STATUS = Path.of("/proc/self/status");
    private static final String ANONYMOUS = "RssAnon:";

    private NativeMemory() {}

    /** In bytes; empty where the system does not tell. */
    static OptionalLong read() {
        try (var lines = Files.lines(STATUS)) {
            var anonymous = lines.filter(line -> line.startsWith(ANONYMOUS))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) << 10)
                    .findFirst();
            return anonymous.isPresent()
                    ? OptionalLong.of(anonymous.getAsLong() - usedByTheJvm())
                    : OptionalLong.empty();
        } catch (IOException absent) {
            return OptionalLong.empty();
        }
    }

    private static long usedByTheJvm() {
        return ManagementFactory.getMemoryPoolMXBeans().stream()
                .mapToLong(pool -> pool.getPeakUsage().getUsed())
                .sum();
    }
}
