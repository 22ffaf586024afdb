package dev.weighlock.jobs.file;

import dev.weighlock.jobs.template.PathTemplate;
import java.nio.charset.Charset;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Delimited files to read.
 *
 * @param glob one file or a pattern
 * @param schema column to type, in the order of the file; empty when it is to be guessed
 * @param compression absent: by the file's ending
 */
public record CsvKeys(
        PathTemplate glob,
        Map<String, String> schema,
        boolean header,
        char delimiter,
        char quote,
        Charset encoding,
        Optional<OutputKeys.Compression> compression,
        OnMissing onMissing) {
    /** What a pattern without files means. */
    public enum OnMissing {
        FAIL,
        SKIP,
        WAIT
    }

    public CsvKeys {
        schema = Collections.unmodifiableMap(new LinkedHashMap<>(schema));
    }
}
