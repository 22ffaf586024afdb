package dev.weighlock.query.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/** Files that a scripted session spills. */
final class SpillFolder {
    private SpillFolder() {}

    static void write(Path file) {
        try {
            Files.createDirectories(file.resolveSibling("."));
            Files.writeString(file, "spilled");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Deletes a folder with all below; one that is not there is as good as deleted. */
    static void delete(@Nullable Path folder) {
        if (folder == null || !Files.exists(folder)) {
            return;
        }
        try (var paths = Files.walk(folder)) {
            for (var path : paths.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
