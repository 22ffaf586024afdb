package dev.weighlock.query.device;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HostMemoryTest {
    private static final long GIB = 1L << 30;

    @TempDir
    private Path root;

    @Test
    void probe_inAContainer_takesTheLeastLimitOfItsGroups() throws IOException {
        write("proc/self/cgroup", "0::/box/job\n");
        write("proc/meminfo", "MemTotal: 16777216 kB\nMemAvailable: 8388608 kB\n");
        write("sys/fs/cgroup/box/job/memory.max", "max\n");
        write("sys/fs/cgroup/box/memory.max", Long.toString(4 * GIB));

        HostMemory memory = HostMemory.probe(root, GIB);

        assertThat(memory).isEqualTo(new HostMemory(4 * GIB, "container limit (memory.max)", GIB));
        assertThat(memory.usableBytes()).isEqualTo(3 * GIB);
    }

    @Test
    void probe_inAnOlderContainer_readsTheMemoryController() throws IOException {
        write("proc/self/cgroup", "5:cpu,cpuacct:/x\n4:memory:/x\n");
        write("proc/meminfo", "MemTotal: 16777216 kB\nMemAvailable: 8388608 kB\n");
        write("sys/fs/cgroup/memory/x/memory.limit_in_bytes", Long.toString(2 * GIB));

        assertThat(HostMemory.probe(root, GIB).limitBytes()).isEqualTo(2 * GIB);
    }

    @Test
    void probe_withoutALimit_takesWhatIsAvailable() throws IOException {
        write("proc/self/cgroup", "0::/\n");
        write("proc/meminfo", "MemTotal: 16777216 kB\nMemAvailable: 8388608 kB\n");
        write("sys/fs/cgroup/memory.max", "max\n");

        assertThat(HostMemory.probe(root, GIB)).isEqualTo(new HostMemory(8 * GIB, "memory available at start", GIB));
    }

    @Test
    void probe_withALimitAboveTheMachine_ignoresIt() throws IOException {
        write("proc/self/cgroup", "0::/\n");
        write("proc/meminfo", "MemTotal: 1048576 kB\nMemAvailable: 524288 kB\n");
        write("sys/fs/cgroup/memory.max", Long.toString(64 * GIB));

        assertThat(HostMemory.probe(root, 0).source()).isEqualTo("memory available at start");
    }

    @Test
    void profile_namesTheSourceAndKeepsSlotsLargeEnough() {
        DeviceProfile profile = new HostMemory(2 * GIB, "container limit (memory.max)", GIB)
                .profile()
                .maxActive(2)
                .resolve();
        assertThat(profile.limitSource())
                .isEqualTo("container limit (memory.max) 2147483648 bytes - JVM maximum (-Xmx) 1073741824 bytes");

        DeviceProfile tiny = new HostMemory(450 << 20, "test", 0).profile().resolve();
        assertThat(tiny.defaultQueryLimitBytes()).isGreaterThanOrEqualTo(32 << 20);
    }

    private void write(String file, String text) throws IOException {
        Path target = root.resolve(file);
        Files.createDirectories(target.getParent());
        Files.writeString(target, text);
    }
}
