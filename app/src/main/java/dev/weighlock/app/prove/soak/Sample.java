package dev.weighlock.app.prove.soak;

import com.sun.management.UnixOperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;

/**
 * What the process has after a cycle.
 *
 * @param threads of the platform
 * @param handles open file descriptors, sockets among them; -1 where the system does not tell
 * @param connections of the repository to its server; 0 with SQLite
 * @param tempFiles below the engine's folder
 * @param heapBytes in use right after a collection
 * @param residentBytes of the whole process; -1 where the system does not tell
 */
record Sample(long threads, long handles, long connections, long tempFiles, long heapBytes, long residentBytes) {
    static Sample now(long connections, Path spill) throws IOException {
        System.gc();
        return new Sample(
                ManagementFactory.getThreadMXBean().getThreadCount(),
                ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
                        ? unix.getOpenFileDescriptorCount()
                        : -1,
                connections,
                files(spill),
                ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed(),
                resident());
    }

    private static long files(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(Files::isRegularFile).count();
        }
    }

    private static long resident() throws IOException {
        Path status = Path.of("/proc/self/status");
        if (!Files.isReadable(status)) {
            return -1;
        }
        try (Stream<String> lines = Files.lines(status)) {
            return lines.filter(line -> line.startsWith("VmRSS:"))
                    .findFirst()
                    .map(line -> Long.parseLong(line.replaceAll("\\D", "")) * 1024)
                    .orElse(-1L);
        }
    }

    Map<String, Object> document() {
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("threads", threads);
        values.put("handles", handles);
        values.put("connections", connections);
        values.put("temp_files", tempFiles);
        values.put("heap_bytes", heapBytes);
        values.put("resident_bytes", residentBytes);
        return values;
    }
}
