package dev.weighlock.host;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * A file whose operating-system lock is held as long as its process lives. A free lock proves that the holder is dead;
 * a held one shows only that its process exists.
 *
 * <p>POSIX drops every lock a process has on a file when it closes <em>any</em> descriptor of it. So this process never
 * opens a file that it holds a second time: {@link #probe} and {@link #read} answer for its own files from memory.
 * Nothing else in the process may open a lock file.
 *
 * <p>Thread-safe. {@code HELD} below guards itself, and is held across the system calls that open, lock and close, so
 * that no thread opens a file while another closes it. The holder closes; a killed process needs nobody to.
 */
public final class LockFile implements AutoCloseable {
    /** What another process can learn about a lock file. */
    public enum Liveness {
        /** A live process holds the lock. */
        HELD,
        /** Nobody holds the lock, or the file is gone: its last holder is dead or has closed it. */
        FREE
    }

    private static final int MAX_CONTENT_BYTES = 4096;
    /** Sizes to choose from; the files are sparse and this large for a moment only. */
    private static final long MARKS = 1L << 20;

    private static final Map<Path, LockFile> HELD = new HashMap<>();

    private final Path path;
    private final FileChannel channel;
    private final String content;
    private boolean closed;

    private LockFile(Path path, FileChannel channel, String content) {
        this.path = path;
        this.channel = channel;
        this.content = content;
    }

    /**
     * Creates the file if needed, takes its lock without waiting and writes {@code content} for others to read.
     *
     * @param content at most 4,096 bytes of UTF-8, such as the holder's process id
     * @return empty when a live process, this one included, holds it
     */
    public static Optional<LockFile> tryHold(Path file, String content) {
        var bytes = content.getBytes(StandardCharsets.UTF_8);
        if (bytes.length > MAX_CONTENT_BYTES) {
            throw new IllegalArgumentException("lock file content of " + bytes.length + " bytes is over 4096");
        }
        synchronized (HELD) {
            try {
                Files.createDirectories(file.toAbsolutePath().getParent());
                var path = canonical(file);
                return HELD.containsKey(path) ? Optional.empty() : lock(path, content, bytes);
            } catch (IOException e) {
                throw new UncheckedIOException("cannot hold the lock file " + file, e);
            }
        }
    }

    private static Optional<LockFile> lock(Path path, String content, byte[] bytes) throws IOException {
        while (true) {
            var channel = FileChannel.open(
                    path, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
            try {
                if (channel.tryLock() == null) {
                    channel.close();
                    return Optional.empty();
                }
                if (!isStillAt(path, channel)) {
                    channel.close();
                    continue;
                }
                channel.truncate(0);
                channel.write(ByteBuffer.wrap(bytes), 0);
                var held = new LockFile(path, channel, content);
                HELD.put(path, held);
                return Optional.of(held);
            } catch (IOException | RuntimeException e) {
                channel.close();
                throw e;
            }
        }
    }

    /**
     * A holder deletes its file before it unlocks, so a lock may have been won on a file that is no longer there. Its own
     * file tells by a size that nobody else gives to one; opening the file again would lose the lock.
     */
    private static boolean isStillAt(Path path, FileChannel locked) throws IOException {
        locked.truncate(0);
        long size = MAX_CONTENT_BYTES + 1 + ThreadLocalRandom.current().nextLong(MARKS);
        locked.write(ByteBuffer.wrap(new byte[] {'?'}), size - 1);
        try {
            return Files.readAttributes(path, BasicFileAttributes.class).size() == size;
        } catch (NoSuchFileException e) {
            return false;
        }
    }

    /** Tells whether a live process holds the lock of {@code file}. Never blocks on the holder. */
    public static Liveness probe(Path file) {
        synchronized (HELD) {
            try {
                var path = canonical(file);
                if (HELD.containsKey(path)) {
                    return Liveness.HELD;
                }
                try (var channel = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE);
                        var lock = channel.tryLock()) {
                    return lock == null ? Liveness.HELD : Liveness.FREE;
                }
            } catch (NoSuchFileException e) {
                return Liveness.FREE;
            } catch (IOException e) {
                throw new UncheckedIOException("cannot probe the lock file " + file, e);
            }
        }
    }

    /** What the present or last holder wrote; empty when the file is gone. */
    public static Optional<String> read(Path file) {
        synchronized (HELD) {
            try {
                var path = canonical(file);
                var own = HELD.get(path);
                return Optional.of(own != null ? own.content : content(path));
            } catch (NoSuchFileException e) {
                return Optional.empty();
            } catch (IOException e) {
                throw new UncheckedIOException("cannot read the lock file " + file, e);
            }
        }
    }

    private static String content(Path path) throws IOException {
        try (var in = Files.newInputStream(path)) {
            return new String(in.readNBytes(MAX_CONTENT_BYTES), StandardCharsets.UTF_8);
        }
    }

    private static Path canonical(Path file) throws IOException {
        var absolute = file.toAbsolutePath();
        var folder = absolute.getParent();
        return folder == null ? absolute : folder.toRealPath().resolve(file.getFileName());
    }

    /** The file, with its folder's symbolic links resolved. */
    public Path path() {
        return path;
    }

    /** Deletes the file and gives the lock back. Idempotent. */
    @Override
    public void close() {
        synchronized (HELD) {
            if (closed) {
                return;
            }
            closed = true;
            HELD.remove(path);
            @Nullable IOException failure = null;
            try {
                Files.deleteIfExists(path);
            } catch (IOException e) {
                failure = e;
            }
            try {
                channel.close();
            } catch (IOException e) {
                if (failure != null) {
                    e.addSuppressed(failure);
                }
                failure = e;
            }
            if (failure != null) {
                throw new UncheckedIOException("cannot give back the lock file " + path, failure);
            }
        }
    }
}
