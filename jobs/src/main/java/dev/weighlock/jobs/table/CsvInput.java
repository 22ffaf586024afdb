package dev.weighlock.jobs.table;

import dev.weighlock.batch.FailureCategory;
import dev.weighlock.batch.step.StepContext;
import dev.weighlock.batch.stop.StopToken;
import dev.weighlock.jobs.StepFailure;
import dev.weighlock.jobs.csv.ColumnType;
import dev.weighlock.jobs.csv.CsvColumn;
import dev.weighlock.jobs.csv.CsvFiles;
import dev.weighlock.jobs.csv.CsvFormat;
import dev.weighlock.jobs.csv.CsvSchemaGuess;
import dev.weighlock.jobs.file.CsvKeys;
import dev.weighlock.jobs.file.JobScope;
import dev.weighlock.jobs.file.OutputKeys;
import dev.weighlock.jobs.value.StepValues;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The files that a chunk step reads, found anew for each attempt. Immutable. */
record CsvInput(JobScope job, CsvKeys keys) {
    private static final Duration LOOK_AGAIN = Duration.ofSeconds(1);

    /** The files that exist now, in the order of their names; waits for the first one where the keys say so. */
    List<Path> files(StepContext context) throws InterruptedException {
        Path folder = job.folder();
        String pattern = new StepValues(context, job.stepIds()).path(keys.glob());
        try {
            List<Path> files = CsvFiles.find(folder, pattern);
            while (files.isEmpty() && keys.onMissing() == CsvKeys.OnMissing.WAIT) {
                pause(context.stopToken(), pattern);
                files = CsvFiles.find(folder, pattern);
            }
            for (Path file : files) {
                requireReadable(file);
            }
            if (files.isEmpty() && keys.onMissing() == CsvKeys.OnMissing.FAIL) {
                throw new StepFailure(
                        FailureCategory.DEPENDENCY_FAILED,
                        "no file matches %s; check the path or write on_missing: skip".formatted(pattern));
            }
            return files;
        } catch (InvalidPathException invalid) {
            throw new StepFailure(
                    FailureCategory.STEP_FAILED, "the path %s cannot exist; correct it".formatted(pattern), invalid);
        }
    }

    /** The end of the wait is a file, or a stop. */
    private static void pause(StopToken stop, String pattern) throws InterruptedException {
        if (stop.await(LOOK_AGAIN)) {
            throw new InterruptedException("stopped while waiting for " + pattern);
        }
    }

    private void requireReadable(Path file) {
        try {
            Path real = file.toRealPath();
            for (Path allowed : job.readDirectories()) {
                if (Files.isDirectory(allowed) && real.startsWith(allowed.toRealPath())) {
                    return;
                }
            }
        } catch (IOException unreadable) {
            throw new StepFailure(
                    FailureCategory.DEPENDENCY_FAILED,
                    "%s cannot be read; check its rights".formatted(file),
                    unreadable);
        }
        throw new StepFailure(
                FailureCategory.STEP_FAILED,
                "%s lies outside the folders that may be read; add its folder to directories: {read: [..]}"
                        .formatted(file));
    }

    /** The declared columns, else those guessed from the first file. */
    List<CsvColumn> schema(StepContext context) throws InterruptedException {
        if (keys.schema().isEmpty()) {
            List<Path> files = files(context);
            return files.isEmpty() ? List.of() : CsvSchemaGuess.of(files.getFirst(), shown(files.getFirst()), format());
        }
        List<CsvColumn> columns = new ArrayList<>();
        keys.schema()
                .forEach((name, type) ->
                        columns.add(new CsvColumn(name, ColumnType.parse(type).orElseThrow())));
        return columns;
    }

    CsvFormat format() {
        return new CsvFormat(
                keys.header(),
                keys.delimiter(),
                keys.quote(),
                keys.encoding(),
                keys.compression().map(OutputKeys.Compression.GZIP::equals));
    }

    /** A file as the user knows it: from the job's folder where it lies below. */
    String shown(Path file) {
        Path folder = job.folder();
        return file.startsWith(folder) ? folder.relativize(file).toString() : file.toString();
    }
}
