package dev.weighlock.bench.postgres;

import dev.weighlock.jobs.csv.ColumnType;
import dev.weighlock.jobs.csv.CsvColumn;
import dev.weighlock.jobs.csv.CsvFormat;
import dev.weighlock.jobs.csv.CsvItemReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** The delimited file that every side loads, and the reader that every side reads it with. */
public final class Sales {
    public static final String INSERT = "INSERT INTO public.sale (id, day, shop, amount, note) VALUES (?, ?, ?, ?, ?)";

    static final List<String> COLUMNS = List.of("id", "day", "shop", "amount", "note");

    private static final Map<String, String> TYPES =
            Map.of("id", "BIGINT", "day", "DATE", "shop", "VARCHAR", "amount", "DECIMAL(12,2)", "note", "VARCHAR");

    private Sales() {}

    static void write(Path file, int rows) throws IOException {
        StringBuilder text = new StringBuilder(String.join(",", COLUMNS)).append('\n');
        for (int i = 0; i < rows; i++) {
            text.append(i).append(",2026-").append(String.format("%02d-%02d", i % 12 + 1, i % 28 + 1));
            text.append(",shop ").append(i % 97).append(',').append(i % 10_000).append(".25,\"bought, paid\"\n");
        }
        Files.writeString(file, text);
    }

    public static CsvItemReader reader(Path file) {
        List<CsvColumn> schema = COLUMNS.stream()
                .map(name -> new CsvColumn(
                        name, ColumnType.parse(String.valueOf(TYPES.get(name))).orElseThrow()))
                .toList();
        return CsvItemReader.of(List.of(file), Path::toString, CsvFormat.DEFAULT, schema);
    }
}
