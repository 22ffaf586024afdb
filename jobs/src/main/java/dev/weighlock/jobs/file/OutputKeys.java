package dev.weighlock.jobs.file;

import dev.weighlock.jobs.template.PathTemplate;
import java.util.Optional;

/** A declared output file. */
public record OutputKeys(
        Format format,
        PathTemplate path,
        boolean header,
        char delimiter,
        char quote,
        Optional<Compression> compression) {
    /** The format of an output. */
    public enum Format {
        PARQUET,
        CSV,
        JSONL
    }

    /** How a file or its pages are compressed. */
    public enum Compression {
        NONE,
        GZIP,
        ZSTD,
        SNAPPY
    }
}
