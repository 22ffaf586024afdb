package dev.weighlock.jobs.check;

import dev.weighlock.jobs.file.CacheKey;
import dev.weighlock.jobs.file.JavaKeys;
import dev.weighlock.jobs.file.JobFile;
import dev.weighlock.jobs.file.ShellKeys;
import dev.weighlock.jobs.yaml.Problems;
import java.nio.file.Files;
import java.util.Comparator;
import java.util.List;

/** Data sets have their files, and a cache share that can hold them. */
final class DataSetRules {
    private static final long MIB = 1L << 20;

    private DataSetRules() {}

    /** @param shareBytes all that the device may keep in data sets */
    static void checkRoom(JobFile job, long shareBytes, Problems problems) {
        List<CacheKey> large = job.cache().stream()
                .filter(key -> shareBytes == 0 || bytes(key) > shareBytes)
                .sorted(Comparator.comparingLong(DataSetRules::bytes).reversed())
                .toList();
        if (!large.isEmpty()) {
            problems.refusal(
                    large.getFirst().at(),
                    shareBytes == 0
                            ? "data sets need a cache share, and the device has none"
                            : "the data set '%s' is larger than the device's cache share of %d bytes"
                                    .formatted(large.getFirst().set().name(), shareBytes),
                    "set devices: {host: {cache: %s}} in weighlock.yaml".formatted(needed(job)));
        }
    }

    /** Room for all of them at once, as far as they are there. */
    private static String needed(JobFile job) {
        long together = job.cache().stream().mapToLong(DataSetRules::bytes).sum();
        return together == 0 ? "SIZE" : (together + MIB - 1) / MIB + "MiB";
    }

    private static long bytes(CacheKey key) {
        return key.set().file().toFile().length();
    }

    /** A program or class among the steps may yet make the files. */
    static void checkThere(JobFile job, Problems problems) {
        boolean mayBeMade = job.steps().stream()
                .anyMatch(step -> step.work() instanceof ShellKeys || step.work() instanceof JavaKeys);
        for (CacheKey key : mayBeMade ? List.<CacheKey>of() : job.cache()) {
            if (!Files.isRegularFile(key.set().file())) {
                problems.error(
                        key.at(),
                        "the data set '%s' has no file %s"
                                .formatted(key.set().name(), key.set().file()),
                        "make it first: a database file of DuckDB with a table %s"
                                .formatted(key.set().name()));
            }
        }
    }
}
