package dev.weighlock.jobs.check;

import dev.weighlock.jobs.csv.CsvFiles;
import dev.weighlock.jobs.file.ChunkKeys;
import dev.weighlock.jobs.file.CsvKeys;
import dev.weighlock.jobs.file.FileStep;
import dev.weighlock.jobs.file.JobFile;
import dev.weighlock.jobs.yaml.Problems;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** Delimited files that are there and give no rows: nothing is wrong with them, and hardly anybody means it. */
final class EmptyInputs {
    private static final int LOOKED_AT = 100;
    private static final long SMALL = 64 << 10;

    private EmptyInputs() {}

    static void check(JobFile job, Problems problems) {
        for (FileStep step : job.steps()) {
            if (step.work() instanceof ChunkKeys chunk
                    && chunk.read().glob().references().isEmpty()) {
                CsvFiles.find(job.source().folder(), chunk.read().glob().text()).stream()
                        .limit(LOOKED_AT)
                        .forEach(file -> check(step, chunk.read(), file, problems));
            }
        }
    }

    private static void check(FileStep step, CsvKeys keys, Path file, Problems problems) {
        try {
            long size = Files.size(file);
            if (size == 0) {
                problems.warning(step.at(), "the file %s is empty".formatted(file.getFileName()), "it gives no rows");
            } else if (keys.header() && keys.compression().isEmpty() && size <= SMALL && lines(file, keys) == 1) {
                problems.warning(
                        step.at(),
                        "the file %s has a header and nothing else".formatted(file.getFileName()),
                        "it gives no rows; where that line is one, write header: false");
            }
        } catch (IOException unreadable) {
            problems.warning(step.at(), "the file %s cannot be read".formatted(file.getFileName()), "check its rights");
        }
    }

    /** Bytes that are no text of its encoding count as more: whoever reads the file will say so. */
    private static long lines(Path file, CsvKeys keys) throws IOException {
        try (Stream<String> lines = Files.lines(file, keys.encoding())) {
            return lines.filter(line -> !line.isBlank()).limit(2).count();
        } catch (UncheckedIOException undecodable) {
            return 2;
        }
    }
}
