package dev.weighlock.query.testkit.load;

import dev.weighlock.query.backend.QueryBackend;
import dev.weighlock.query.backend.QueryRequest;
import dev.weighlock.query.engine.FileOutput;
import io.trino.tpch.TpchColumn;
import io.trino.tpch.TpchEntity;
import io.trino.tpch.TpchTable;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The eight TPC-H tables as Parquet files, generated as text and turned into Parquet by a query backend. */
public final class TpchTables {
    private static final long CAP = 256L << 20;

    private TpchTables() {}

    /**
     * Writes one file a table into a folder; what is generated is the same every time.
     *
     * @param scale 1 makes a gigabyte of text
     */
    public static void write(QueryBackend backend, Path folder, double scale) throws IOException, InterruptedException {
        for (TpchTable<?> table : TpchTable.getTables()) {
            Path text = folder.resolve(table.getTableName() + ".tbl");
            lines(table, scale, text);
            var request = QueryRequest.writeFile(
                            select(table, text),
                            Map.of(),
                            FileOutput.parquet(),
                            folder.resolve(table.getTableName() + ".parquet"))
                    .cap(CAP)
                    .reading(List.of(folder))
                    .writing(List.of(folder));
            backend.submit(request).awaitFile();
            Files.delete(text);
        }
    }

    /** A query's text with every table's name bound to its file in a folder. */
    public static String over(Path folder, String sql) {
        var files = TpchTable.getTables().stream()
                .map(table ->
                        table.getTableName() + " AS (FROM '" + folder.resolve(table.getTableName()) + ".parquet')")
                .collect(Collectors.joining(", "));
        return "WITH " + files + (sql.startsWith("WITH ") ? ", " + sql.substring("WITH ".length()) : " " + sql);
    }

    private static <E extends TpchEntity> void lines(TpchTable<E> table, double scale, Path file) throws IOException {
        try (BufferedWriter out = Files.newBufferedWriter(file)) {
            for (E row : table.createGenerator(scale, 1, 1)) {
                out.append(row.toLine()).append('\n');
            }
        }
    }

    /** Every line ends with a delimiter, which reads as one more column. */
    private static <E extends TpchEntity> String select(TpchTable<E> table, Path text) {
        var columns = table.getColumns().stream()
                .map(column -> "'" + column.getColumnName() + "': '" + type(column) + "'")
                .collect(Collectors.joining(", "));
        return "SELECT * EXCLUDE (rest) FROM read_csv('" + text
                + "', delim = '|', header = false, quote = '', columns = {" + columns + ", 'rest': 'VARCHAR'})";
    }

    private static String type(TpchColumn<?> column) {
        return switch (column.getType().getBase()) {
            case INTEGER -> "INTEGER";
            case IDENTIFIER -> "BIGINT";
            case DATE -> "DATE";
            case DOUBLE -> "DECIMAL(15,2)";
            case VARCHAR -> "VARCHAR";
        };
    }
}
