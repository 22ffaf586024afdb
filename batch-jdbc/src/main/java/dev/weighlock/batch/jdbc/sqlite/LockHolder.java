package dev.weighlock.batch.jdbc.sqlite;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/**
 * Finds the process that holds a SQLite file's write lock. Linux lists every POSIX lock with its process; in WAL mode
 * the writer locks byte 120 of the shared-memory file beside the database. Asking costs the writers nothing, and the
 * file itself is never opened: its inode comes from its attributes.
 */
final class LockHolder {
    private static final Path LOCKS = Path.of("/proc/locks");
    private static final long WRITE_LOCK_BYTE = 120;
    private static final Pattern LOCK = Pattern.compile(
            "\\d+: (?:->)?\\s*POSIX\\s+\\S+\\s+WRITE\\s+(-?\\d+)\\s+\\S+:(\\d+)\\s+(\\d+)\\s+(\\d+|EOF)");

    private LockHolder() {}

    /** Empty where the system does not tell, or when nobody holds the lock any more. */
    static OptionalLong find(Path database) {
        try {
            var inode = inode(database.resolveSibling(database.getFileName() + "-shm"));
            return inode.isEmpty() || !Files.isReadable(LOCKS)
                    ? OptionalLong.empty()
                    : find(Files.readAllLines(LOCKS), inode.get());
        } catch (IOException e) {
            return OptionalLong.empty();
        }
    }

    static OptionalLong find(List<String> locks, long inode) {
        var holders = new ArrayList<Long>();
        for (var line : locks) {
            var lock = LOCK.matcher(line);
            if (lock.matches()
                    && Long.parseLong(lock.group(2)) == inode
                    && coversWriteLock(lock.group(3), lock.group(4))) {
                holders.add(Long.parseLong(lock.group(1)));
            }
        }
        return holders.isEmpty() || holders.getFirst() <= 0
                ? OptionalLong.empty()
                : OptionalLong.of(holders.getFirst());
    }

    private static boolean coversWriteLock(String first, String last) {
        return Long.parseLong(first) <= WRITE_LOCK_BYTE
                && (last.equals("EOF") || Long.parseLong(last) >= WRITE_LOCK_BYTE);
    }

    private static Optional<Long> inode(Path file) throws IOException {
        if (!Files.exists(file)
                || !file.getFileSystem().supportedFileAttributeViews().contains("unix")) {
            return Optional.empty();
        }
        return Optional.of((Long) Files.getAttribute(file, "unix:ino"));
    }
}
