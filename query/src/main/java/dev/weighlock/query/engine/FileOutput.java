package dev.weighlock.query.engine;

/** The format of a declared output. */
public sealed interface FileOutput {
    Compression compression();

    /** Compression of a whole file, or of a Parquet file's pages. */
    enum Compression {
        NONE,
        GZIP,
        ZSTD,
        /** Parquet only. */
        SNAPPY
    }

    /** Parquet with the engine's own row groups. */
    record Parquet(Compression compression) implements FileOutput {}

    /**
     * Separated values.
     *
     * @param header whether the first line names the columns
     * @param delimiter one character
     * @param quote one character
     */
    record Csv(boolean header, char delimiter, char quote, Compression compression) implements FileOutput {
        public Csv {
            requireNoSnappy(compression);
        }
    }

    /** One JSON object a line. */
    record JsonLines(Compression compression) implements FileOutput {
        public JsonLines {
            requireNoSnappy(compression);
        }
    }

    static FileOutput parquet() {
        return new Parquet(Compression.ZSTD);
    }

    /** With a header, commas and double quotes. */
    static FileOutput csv() {
        return new Csv(true, ',', '"', Compression.NONE);
    }

    static FileOutput jsonLines() {
        return new JsonLines(Compression.NONE);
    }

    private static void requireNoSnappy(Compression compression) {
        if (compression == Compression.SNAPPY) {
            throw new IllegalArgumentException("snappy is for Parquet only");
        }
    }
}
