package dev.weighlock.jobs.code;

import dev.weighlock.jobs.config.ConfigurationException;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The jars and folders that one entry of {@code classpath} names. */
final class ClassPath {
    private ClassPath() {}

    /**
     * In the order of their names.
     *
     * @throws ConfigurationException where the entry makes no sense
     */
    static List<URL> find(Path folder, String entry) {
        int slash = entry.lastIndexOf('/');
        String last = entry.substring(slash + 1);
        try {
            List<Path> found = last.indexOf('*') < 0
                    ? List.of(folder.resolve(entry))
                    : matching(folder.resolve(slash < 0 ? "" : entry.substring(0, slash + 1)), last);
            List<URL> urls = new ArrayList<>();
            for (Path path : found.stream().sorted().toList()) {
                urls.add(path.toAbsolutePath().normalize().toUri().toURL());
            }
            return urls;
        } catch (InvalidPathException | MalformedURLException invalid) {
            throw new ConfigurationException("'classpath' has the entry " + entry + ", which cannot exist", invalid);
        }
    }

    private static List<Path> matching(Path folder, String pattern) {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        List<Path> found = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder, pattern)) {
            entries.forEach(found::add);
            return found;
        } catch (IOException | DirectoryIteratorException unreadable) {
            throw new ConfigurationException(
                    "the folder " + folder + " of 'classpath' cannot be listed; check its rights", unreadable);
        }
    }
}
