package dev.weighlock.jobs.csv;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystems;
import java.nio.file.FileVisitOption;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.List;
import java.util.stream.Stream;

/** The files of a path or pattern, in the order of their names. */
public final class CsvFiles {
    private static final String WILDCARDS = "*?[";

    private CsvFiles() {}

    /** Whether a path is a pattern. */
    public static boolean isPattern(String path) {
        return path.chars().anyMatch(c -> WILDCARDS.indexOf(c) >= 0);
    }

    /**
     * The files that exist now.
     *
     * @param folder where a relative pattern begins
     * @throws CsvException where a folder cannot be listed
     */
    public static List<Path> find(Path folder, String pattern) {
        if (!isPattern(pattern)) {
            Path file = folder.resolve(pattern).normalize();
            return Files.isRegularFile(file) ? List.of(file) : List.of();
        }
        Path base = folder;
        List<String> elements = List.of(pattern.split("/"));
        int first = 0;
        if (pattern.startsWith("/")) {
            base = Path.of("/");
            first = 1;
        }
        while (first < elements.size() && !isPattern(elements.get(first))) {
            base = base.resolve(elements.get(first));
            first++;
        }
        return matching(base.normalize(), elements.subList(first, elements.size()));
    }

    private static List<Path> matching(Path base, List<String> elements) {
        if (!Files.isDirectory(base)) {
            return List.of();
        }
        PathMatcher matcher = FileSystems.getDefault().getPathMatcher("glob:" + String.join("/", elements));
        int depth = elements.contains("**") ? Integer.MAX_VALUE : elements.size();
        try (Stream<Path> found = Files.walk(base, depth, FileVisitOption.FOLLOW_LINKS)) {
            return found.filter(Files::isRegularFile)
                    .filter(file -> matcher.matches(base.relativize(file)))
                    .sorted()
                    .toList();
        } catch (IOException | UncheckedIOException unreadable) {
            throw new CsvException("the folder %s cannot be listed; check its rights".formatted(base), unreadable);
        }
    }
}
