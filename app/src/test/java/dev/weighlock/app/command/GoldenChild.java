package dev.weighlock.app.command;

import dev.weighlock.app.terminal.Terminal;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** Runs one query in this JVM's time zone and leaves its result in every format that {@code wl query} has. */
final class GoldenChild {
    private GoldenChild() {}

    public static void main(String[] arguments) throws Exception {
        Path folder = Path.of(arguments[0]);
        String sql = Files.readString(folder.resolve("query.sql"));
        printed(folder, "table.out", sql);
        printed(folder, "csv.out", sql, "--format", "csv");
        printed(folder, "jsonl.out", sql, "--format", "jsonl");
        printed(folder, "json.out", sql, "--json");
        printed(folder, "note", sql, "--format", "csv", "-o", "file.csv");
        printed(folder, "note", sql, "--format", "jsonl", "-o", "file.jsonl");
        printed(folder, "note", sql, "--format", "parquet", "-o", "file.parquet");
        printed(folder, "note", sql, "--format", "arrow", "-o", "file.arrow");
        printed(folder, "stream.arrow", sql, "--format", "arrow");
        ArrowAsCsv.convert(folder.resolve("file.arrow"), folder.resolve("file.arrow.csv"));
        ArrowAsCsv.convert(folder.resolve("stream.arrow"), folder.resolve("stream.arrow.csv"));
        printed(folder, "parquet.out", "FROM 'file.parquet'", "--format", "csv");
    }

    private static void printed(Path folder, String file, String sql, String... options) throws Exception {
        try (PrintStream out = new PrintStream(folder.resolve(file).toFile(), StandardCharsets.UTF_8)) {
            Terminal terminal = new Terminal(out, System.err, false, false, false, 100);
            Map<String, String> environment =
                    Map.of("WEIGHLOCK_BUDGET_FOLDER", folder.resolve("budget").toString());
            String[] words = new String[options.length + 2];
            words[0] = "query";
            words[1] = sql;
            System.arraycopy(options, 0, words, 2, options.length);
            int code = CommandLineTree.of(new Invocation(terminal, folder, environment))
                    .execute(words);
            if (code != 0) {
                throw new IllegalStateException("wl ended with " + code);
            }
        }
    }
}
