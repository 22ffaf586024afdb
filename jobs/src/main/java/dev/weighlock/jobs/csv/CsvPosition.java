package dev.weighlock.jobs.csv;

import dev.weighlock.batch.ExecutionContext;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * How far a reader of several files came. The files that are done are kept as a count and a digest of their names, so
 * that a restart notices when others came between, however many there are.
 *
 * @param filesDone files read to their end
 * @param digest over their names, in order
 * @param file the file under way, or empty
 * @param records taken from it
 */
record CsvPosition(long filesDone, String digest, String file, long records) {
    static final CsvPosition START = new CsvPosition(0, "", "", 0);

    static CsvPosition of(ExecutionContext context) {
        return new CsvPosition(
                context.longValue("csv.files_done", 0),
                context.string("csv.digest").orElse(""),
                context.string("csv.file").orElse(""),
                context.longValue("csv.records", 0));
    }

    ExecutionContext in(ExecutionContext context) {
        return context.with("csv.files_done", filesDone)
                .with("csv.digest", digest)
                .with("csv.file", file)
                .with("csv.records", records);
    }

    CsvPosition fileDone(String name) {
        return new CsvPosition(filesDone + 1, chain(digest, name), "", 0);
    }

    private static String chain(String digest, String name) {
        try {
            byte[] bytes = (digest + "\n" + name).getBytes(StandardCharsets.UTF_8);
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every Java platform has SHA-256", impossible);
        }
    }
}
