package dev.weighlock.query.device;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HostMemoryTest {
    private static final long GIB = 1L << 30;
    private static final long SIXTEEN_GIB = 16 * GIB;

    @TempDir
    private Path root;

    @Test
    void probe_inAContainer_takesTheLeastLimitOfItsGroups() throws IOException {
        write("proc/self/cgroup", "0::/box/job\n");
        write("proc/meminfo", "MemTotal: 16777216 kB\nMemAvailable: 8388608 kB\n");
        write("sys/fs/cgroup/box/job/memory.max", "max\n");
        write("sys/fs/cgroup/box/memory.max", Long.toString(4 * GIB));

        HostMemory memory = HostMemory.probe(root, GIB);

        assertThat(memory)
                .isEqualTo(new HostMemory(4 * GIB, "container limit (memory.max)", "group-box", 4 * GIB, GIB));
    }

    @Test
    void probe_inAnOlderContainer_readsTheMemoryController() throws IOException {
        write("proc/self/cgroup", "5:cpu,cpuacct:/x\n4:memory:/x\n");
        write("proc/meminfo", "MemTotal: 16777216 kB\nMemAvailable: 8388608 kB\n");
        write("sys/fs/cgroup/memory/x/memory.limit_in_bytes", Long.toString(2 * GIB));

        assertThat(HostMemory.probe(root, GIB).totalBytes()).isEqualTo(2 * GIB);
    }

    @Test
    void probe_withoutALimit_takesNineTenthsOfTheMachine_whateverIsFree() throws IOException {
        write("proc/self/cgroup", "0::/\n");
        write("proc/meminfo", "MemTotal: 16777216 kB\nMemAvailable: 8388608 kB\n");
        write("sys/fs/cgroup/memory.max", "max\n");

        assertThat(HostMemory.probe(root, GIB))
                .isEqualTo(new HostMemory(
                        SIXTEEN_GIB - SIXTEEN_GIB / 10,
                        "nine tenths of the machine's memory",
                        "machine",
                        8 * GIB,
                        GIB));
    }

    @Test
    void probe_withALimitAboveTheMachine_ignoresIt() throws IOException {
        write("proc/self/cgroup", "0::/\n");
        write("proc/meminfo", "MemTotal: 1048576 kB\nMemAvailable: 524288 kB\n");
        write("sys/fs/cgroup/memory.max", Long.toString(64 * GIB));

        assertThat(HostMemory.probe(root, 0).budget()).isEqualTo("machine");
    }

    @Test
    void processesUnderLimitsOfDifferentGroups_shareNothing() throws IOException {
        write("proc/self/cgroup", "0::/a/b\n");
        write("sys/fs/cgroup/a/b/memory.max", Long.toString(GIB));
        String inner = HostMemory.probe(root, 0).budget();
        write("proc/self/cgroup", "0::/a/c\n");
        write("sys/fs/cgroup/a/c/memory.max", Long.toString(GIB));

        assertThat(HostMemory.probe(root, 0).budget()).isNotEqualTo(inner).matches("group-[a-z0-9-]+");
    }

    private void write(String file, String text) throws IOException {
        Path target = root.resolve(file);
        Files.createDirectories(target.getParent());
        Files.writeString(target, text);
    }
}
