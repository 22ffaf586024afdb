package dev.weighlock.app.prove.stand;

import dev.weighlock.host.LockFile;
import dev.weighlock.host.LockFile.Liveness;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A campaign's own folder among the temporary ones, private to its user and locked as long as the process lives. A new
 * campaign removes what killed ones left; a temporary server whose data are gone ends by itself within a minute or two.
 *
 * <p>Immutable; whoever made it closes it, which removes it.
 *
 * @param path of the folder
 */
public record CampaignFolder(Path path, LockFile lock) implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(CampaignFolder.class);
    private static final String PREFIX = "weighlock-prove";
    private static final String LOCK = "owner.lock";

    /** @param temporary where such folders are */
    public static CampaignFolder in(Path temporary) throws IOException {
        removeLeftovers(temporary);
        Path path = Files.createTempDirectory(temporary, PREFIX);
        LockFile lock = LockFile.tryHold(
                        path.resolve(LOCK),
                        Long.toString(ProcessHandle.current().pid()))
                .orElseThrow(() -> new IOException("the new folder " + path + " is held by another process"));
        return new CampaignFolder(path, lock);
    }

    private static void removeLeftovers(Path temporary) throws IOException {
        try (DirectoryStream<Path> folders = Files.newDirectoryStream(temporary, PREFIX + "*")) {
            for (Path folder : folders) {
                if (isLeftover(folder)) {
                    tryRemove(folder);
                }
            }
        }
    }

    /** One without the file is just being made, or somebody else's. */
    private static boolean isLeftover(Path folder) {
        Path lock = folder.resolve(LOCK);
        return Files.isRegularFile(lock) && Files.isWritable(lock) && LockFile.probe(lock) == Liveness.FREE;
    }

    private static void tryRemove(Path folder) {
        try {
            remove(folder);
        } catch (IOException e) {
            LOG.warn("what a killed campaign left in {} cannot be removed now", folder, e);
        }
    }

    /** The lock last: what could not be removed is known as left over. */
    private static void remove(Path folder) throws IOException {
        List<Path> all;
        try (Stream<Path> walk = Files.walk(folder)) {
            all = walk.sorted(Comparator.reverseOrder()).toList();
        }
        Path lock = folder.resolve(LOCK);
        for (Path one : all) {
            if (!one.equals(lock) && !one.equals(folder)) {
                Files.deleteIfExists(one);
            }
        }
        Files.deleteIfExists(lock);
        Files.delete(folder);
    }

    @Override
    public void close() throws IOException {
        try (lock) {
            remove(path);
        }
    }
}
