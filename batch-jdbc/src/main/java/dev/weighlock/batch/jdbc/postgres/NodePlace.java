package dev.weighlock.batch.jdbc.postgres;

import dev.weighlock.host.LockFile;
import dev.weighlock.host.LockFile.Liveness;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The folder of this process's lock file, and a name for it that is the same for all processes that see the very same
 * folder of the same running machine. Only among those a free lock proves a death: elsewhere a file of that path is
 * another one, or none.
 *
 * @param name boot of the machine, device and inode of the folder
 */
record NodePlace(Path folder, String name) {
    private static final Path BOOT = Path.of("/proc/sys/kernel/random/boot_id");

    /** Makes the folder where there is none. */
    static NodePlace of(Path folder) {
        try {
            Files.createDirectories(folder);
            var real = folder.toRealPath();
            @Nullable
            Object key = Files.readAttributes(real, BasicFileAttributes.class).fileKey();
            // Where the system does not tell, this process is alone in its place.
            var same = key == null || !Files.isReadable(BOOT)
                    ? UUID.randomUUID().toString()
                    : Files.readString(BOOT).strip() + " " + key;
            return new NodePlace(real, same);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot use the folder of lock files " + folder, e);
        }
    }

    Path lockFile(String nodeId) {
        if (!nodeId.matches("[A-Za-z0-9-]{1,64}")) {
            throw new IllegalArgumentException("a node id has 1 to 64 letters, digits and hyphens: " + nodeId);
        }
        return folder.resolve(nodeId + ".lock");
    }

    /** Whether the node is dead for certain, by its lock; false where the lock cannot tell. */
    boolean provesDead(String place, String nodeId) {
        return name.equals(place) && LockFile.probe(lockFile(nodeId)) == Liveness.FREE;
    }
}
