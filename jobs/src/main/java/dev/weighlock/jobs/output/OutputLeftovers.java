package dev.weighlock.jobs.output;

import java.io.IOException;
import java.nio.file.FileVisitOption;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Removes the unfinished outputs of an execution that was recovered: nobody else would before its instance runs again. */
public final class OutputLeftovers {
    private static final Logger LOG = LoggerFactory.getLogger(OutputLeftovers.class);
    private static final int DEEPEST = 12;
    private static final int MOST_VISITED = 100_000;

    private OutputLeftovers() {}

    /**
     * Looks through the folders, up to a bound, for what these owners wrote under that epoch or an older one.
     *
     * @return what was removed
     */
    public static List<Path> remove(Collection<Path> folders, Collection<String> owners, long epoch) {
        Sweep sweep = new Sweep(owners, epoch);
        for (Path folder : folders) {
            try {
                Files.walkFileTree(folder, EnumSet.noneOf(FileVisitOption.class), DEEPEST, sweep);
            } catch (IOException left) {
                LOG.warn("unfinished outputs in {} could not be removed", folder, left);
            }
        }
        return List.copyOf(sweep.removed);
    }

    private static final class Sweep extends SimpleFileVisitor<Path> {
        private final Collection<String> owners;
        private final long epoch;
        private final List<Path> removed = new ArrayList<>();
        private int visited;

        Sweep(Collection<String> owners, long epoch) {
            this.owners = owners;
            this.epoch = epoch;
        }

        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
            if (attributes.isRegularFile() && WholeFile.isLeftBy(file, owners, epoch)) {
                Files.deleteIfExists(file);
                removed.add(file);
            }
            return ++visited < MOST_VISITED ? FileVisitResult.CONTINUE : FileVisitResult.TERMINATE;
        }

        @Override
        public FileVisitResult visitFileFailed(Path file, IOException failure) {
            return FileVisitResult.CONTINUE;
        }
    }
}
