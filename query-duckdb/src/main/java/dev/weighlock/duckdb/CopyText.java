package dev.weighlock.duckdb;

import dev.weighlock.query.engine.FileOutput;
import java.nio.file.Path;
import java.util.Locale;

/** The COPY that the runtime puts around a query that declares an output. */
final class CopyText {
    private CopyText() {}

    /** The line break ends a comment that the query may end with. */
    static String of(String query, FileOutput output, Path file) {
        return "COPY (" + query + "\n) TO " + SqlLiteral.of(file) + " (" + options(output) + ", USE_TMP_FILE false)";
    }

    private static String options(FileOutput output) {
        return switch (output) {
            case FileOutput.Parquet parquet -> "FORMAT parquet, COMPRESSION " + parquet(parquet.compression());
            case FileOutput.JsonLines lines -> "FORMAT json, COMPRESSION " + plain(lines.compression());
            case FileOutput.Csv csv ->
                "FORMAT csv, HEADER " + csv.header() + ", DELIMITER " + character(csv.delimiter()) + ", QUOTE "
                        + character(csv.quote()) + ", ESCAPE " + character(csv.quote()) + ", COMPRESSION "
                        + plain(csv.compression());
        };
    }

    private static String character(char c) {
        return SqlLiteral.of(String.valueOf(c));
    }

    private static String parquet(FileOutput.Compression compression) {
        return compression == FileOutput.Compression.NONE ? "uncompressed" : plain(compression);
    }

    private static String plain(FileOutput.Compression compression) {
        return compression.name().toLowerCase(Locale.ROOT);
    }
}
