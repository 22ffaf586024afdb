package dev.weighlock.jobs.file;

import dev.weighlock.jobs.yaml.Problems;
import dev.weighlock.jobs.yaml.YamlNode.Entries;
import dev.weighlock.jobs.yaml.YamlNode.Entry;
import dev.weighlock.jobs.yaml.YamlNode.Scalar;
import dev.weighlock.query.engine.DataSet;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Reads {@code cache}. */
final class CacheReader {
    private final Problems problems;
    private final Path folder;
    private final List<Path> readable;

    CacheReader(Problems problems, Path folder, List<Path> readable) {
        this.problems = problems;
        this.folder = folder;
        this.readable = readable;
    }

    List<CacheKey> read(Entries root) {
        List<CacheKey> keys = new ArrayList<>();
        for (Entry entry : root.map("cache").map(Entries::entries).orElse(List.of())) {
            // What has another shape is a problem already.
            if (DataSet.isName(entry.key()) && entry.value() instanceof Scalar path && !path.isNull()) {
                read(entry.key(), path, keys);
            }
        }
        checkDistinct(keys);
        return keys;
    }

    private void read(String name, Scalar path, List<CacheKey> into) {
        if (path.text().indexOf('{') >= 0) {
            problems.error(
                    path.at(),
                    "the path of the data set '%s' holds a '{'".formatted(name),
                    "write the file's own path: values have no place here");
            return;
        }
        try {
            Path file = folder.resolve(path.text()).normalize();
            checkInside(name, path, file);
            into.add(new CacheKey(new DataSet(name, file), path.at()));
        } catch (InvalidPathException invalid) {
            problems.error(path.at(), "the path of the data set '%s' cannot exist".formatted(name), "correct the path");
        }
    }

    private void checkInside(String name, Scalar path, Path file) {
        if (readable.stream().noneMatch(file::startsWith)) {
            problems.refusal(
                    path.at(),
                    "the data set '%s' lies outside the folders that may be read: %s".formatted(name, path.text()),
                    "add its folder to directories: {read: [..]}");
        }
    }

    /** The engine attaches a file once. */
    private void checkDistinct(List<CacheKey> keys) {
        Map<Path, String> names = new HashMap<>();
        for (CacheKey key : keys) {
            String other = names.putIfAbsent(key.set().file(), key.set().name());
            if (other != null) {
                problems.error(
                        key.at(),
                        "the data sets '%s' and '%s' are one file"
                                .formatted(other, key.set().name()),
                        "give each table a file of its own");
            }
        }
    }
}
