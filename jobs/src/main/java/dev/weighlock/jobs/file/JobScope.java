package dev.weighlock.jobs.file;

import dev.weighlock.query.engine.DataSet;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/**
 * What the steps of one job share. Immutable, but for ids that a job in Java may still add.
 *
 * @param name of the job
 * @param folder absolute; relative paths begin here
 * @param readDirectories absolute; the only ones that are read
 * @param writeDirectories absolute; the only ones that are written
 * @param timeZone of SQL sessions
 * @param dataSets that SQL names {@code cache.NAME}
 * @param steps the ids of all steps, which tell a step's context from a parameter
 */
public record JobScope(
        String name,
        Path folder,
        List<Path> readDirectories,
        List<Path> writeDirectories,
        ZoneId timeZone,
        List<DataSet> dataSets,
        Supplier<Set<String>> steps) {
    public JobScope {
        readDirectories = List.copyOf(readDirectories);
        writeDirectories = List.copyOf(writeDirectories);
        dataSets = List.copyOf(dataSets);
    }

    /** The ids of all steps. */
    public Set<String> stepIds() {
        return steps.get();
    }
}
