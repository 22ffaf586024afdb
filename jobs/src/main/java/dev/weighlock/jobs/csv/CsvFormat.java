package dev.weighlock.jobs.csv;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;

/**
 * How a delimited file is written.
 *
 * @param header whether the first record names the columns
 * @param gzip absent: where the file's name ends in .gz
 */
public record CsvFormat(boolean header, char delimiter, char quote, Charset encoding, Optional<Boolean> gzip) {
    /** With a header, commas and double quotes, in UTF-8. */
    public static final CsvFormat DEFAULT = new CsvFormat(true, ',', '"', StandardCharsets.UTF_8, Optional.empty());

    boolean isGzip(Path file) {
        return gzip.orElseGet(() -> file.toString().endsWith(".gz"));
    }
}
