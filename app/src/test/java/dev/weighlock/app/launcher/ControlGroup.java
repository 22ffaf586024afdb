package dev.weighlock.app.launcher;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * A control group with a limit of memory, made by the kernel where this process may make one. Where it may not, the reason is
 * printed and files stand in that say the same: programs then read those, and nothing limits them but themselves.
 */
public final class ControlGroup implements AutoCloseable {
    private static final Path MOUNT = Path.of("/sys/fs/cgroup");

    private final Path folder;
    private final boolean real;

    private ControlGroup(Path folder, boolean real) {
        this.folder = folder;
        this.real = real;
    }

    /** @param files an empty folder for what stands in */
    @SuppressWarnings("SystemOut")
    public static ControlGroup of(long limitBytes, Path files) throws IOException {
        try {
            return real(limitBytes);
        } catch (IOException refused) {
            System.out.println("NO CONTROL GROUP CAN BE MADE HERE (" + refused
                    + "): what programs read of one is tested against files that look like it");
            return standIn(limitBytes, files);
        }
    }

    /** Below this process's own group with the older controllers, below the topmost with the newer ones. */
    private static ControlGroup real(long limitBytes) throws IOException {
        var name = "weighlock-test-" + ProcessHandle.current().pid();
        var older = Files.readAllLines(Path.of("/proc/self/cgroup")).stream()
                .map(line -> line.split(":", 3))
                .filter(parts -> List.of(parts[1].split(",", -1)).contains("memory"))
                .map(parts -> MOUNT.resolve("memory").resolve(parts[2].substring(1)))
                .findFirst();
        if (older.isEmpty()) {
            Files.writeString(MOUNT.resolve("cgroup.subtree_control"), "+memory");
        }
        var folder = Files.createDirectory(older.orElse(MOUNT).resolve(name));
        var group = new ControlGroup(folder, true);
        try {
            var limit = older.isPresent() ? "memory.limit_in_bytes" : "memory.max";
            Files.writeString(folder.resolve(limit), Long.toString(limitBytes));
            return group;
        } catch (IOException e) {
            group.close();
            throw e;
        }
    }

    private static ControlGroup standIn(long limitBytes, Path files) throws IOException {
        Checkout.write(files.resolve("proc/self/cgroup"), "0::/box\n");
        Checkout.write(files.resolve("proc/meminfo"), "MemTotal: 16777216 kB\nMemAvailable: 16777216 kB\n");
        Checkout.write(files.resolve("sys/fs/cgroup/box/memory.max"), Long.toString(limitBytes));
        return new ControlGroup(files, false);
    }

    /** Whether the kernel holds programs to the limit. */
    public boolean isReal() {
        return real;
    }

    /** A script that runs in the group. */
    String shell(String script) {
        return real ? "echo $$ >'" + folder.resolve("cgroup.procs") + "' && " + script : script;
    }

    /** What to put before a command to have it run in the group. */
    public List<String> prefix() {
        return List.of("/bin/sh", "-c", shell("exec \"$@\""), "sh");
    }

    /** What a program in the group has in its environment. */
    public Map<String, String> environment() {
        return real ? Map.of() : Map.of("JAVA_TOOL_OPTIONS", "-Dweighlock.machine.root=" + folder);
    }

    /** Once every program in it has ended. */
    @Override
    public void close() throws IOException {
        if (real) {
            Files.delete(folder);
        }
    }
}
