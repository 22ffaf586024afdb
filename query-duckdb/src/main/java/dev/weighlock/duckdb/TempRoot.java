package dev.weighlock.duckdb;

import dev.weighlock.host.LockFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * This engine's folder for spill files, with a lock file beside it that lives as long as the process. On opening, the
 * folders of owners that are provably dead are swept; those of living ones are left alone.
 *
 * <p>Thread-safe. The engine closes it.
 */
final class TempRoot implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(TempRoot.class);
    private static final String LOCK_SUFFIX = ".lock";

    private final Path folder;
    private final LockFile lock;
    private final AtomicLong folders = new AtomicLong();

    private TempRoot(Path folder, LockFile lock) {
        this.folder = folder;
        this.lock = lock;
    }

    static TempRoot open(Path root) {
        try {
            Files.createDirectories(root);
            sweep(root);
            var name = UUID.randomUUID().toString();
            // Locked before the folder exists, so that no sweep ever sees the folder without its lock.
            var lock = LockFile.tryHold(
                            root.resolve(name + LOCK_SUFFIX),
                            "pid " + ProcessHandle.current().pid())
                    .orElseThrow();
            return new TempRoot(Files.createDirectory(root.resolve(name)), lock);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot prepare the temp root " + root, e);
        }
    }

    private static void sweep(Path root) throws IOException {
        try (var entries = Files.newDirectoryStream(root, Files::isDirectory)) {
            for (var entry : entries) {
                var lockFile = root.resolve(entry.getFileName() + LOCK_SUFFIX);
                if (LockFile.probe(lockFile) == LockFile.Liveness.FREE) {
                    LOG.info(
                            "sweeping {}, whose owner is dead: {}",
                            entry,
                            LockFile.read(lockFile).orElse("no lock"));
                    deleteTree(entry);
                    Files.deleteIfExists(lockFile);
                }
            }
        }
    }

    /** A folder of one instance's own. */
    Path createFolder() throws IOException {
        return Files.createDirectory(folder.resolve("instance-" + folders.incrementAndGet()));
    }

    /** Deletes a folder and all below; whatever another sweeper takes first is as good as deleted. */
    static void deleteTree(Path tree) throws IOException {
        try (var paths = Files.walk(tree)) {
            for (var path : paths.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        } catch (NoSuchFileException | UncheckedIOException e) {
            if (Files.exists(tree)) {
                throw new IOException("cannot delete " + tree, e);
            }
        }
    }

    /** Leaves the folder of a session that still runs to the next sweep. */
    @Override
    public void close() {
        try {
            Files.deleteIfExists(folder);
        } catch (DirectoryNotEmptyException e) {
            LOG.warn("{} still holds files of a session that did not end", folder);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot delete " + folder, e);
        } finally {
            lock.close();
        }
    }
}
