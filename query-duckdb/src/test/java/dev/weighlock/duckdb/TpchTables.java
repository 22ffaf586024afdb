package dev.weighlock.duckdb;

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

/** The eight TPC-H tables as Parquet files, generated as text and turned into Parquet by the engine under test. */
final class TpchTables {
    private TpchTables() {}

    static void write(BackendFixture fixture, double scale) throws Exception {
        for (TpchTable<?> table : TpchTable.getTables()) {
            Path text = fixture.files.in.resolve(table.getTableName() + ".tbl");
            lines(table, scale, text);
            var request = QueryRequest.writeFile(
                            select(table, text),
                            Map.of(),
                            FileOutput.parquet(),
                            fixture.files.in.resolve(table.getTableName() + ".parquet"))
                    .cap(256 * EngineFixture.MIB)
                    .reading(List.of(fixture.files.in))
                    .writing(List.of(fixture.files.in));
            fixture.backend.submit(request).awaitFile();
            Files.delete(text);
        }
    }

    /** A query's text with every table's name bound to its file in a folder. */
    static String over(Path folder, String sql) {
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
