package dev.weighlock.jobs.query;

import dev.weighlock.query.backend.QueryRows;
import dev.weighlock.query.engine.ResultColumn;
import dev.weighlock.query.engine.Row;
import dev.weighlock.query.engine.SqlValueText;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The first rows of a result, bounded in number and size.
 *
 * @param truncated whether the result had more than these
 */
record Preview(List<ResultColumn> columns, List<Row> rows, boolean truncated) {
    static final int MAX_ROWS = 100;
    private static final int MAX_CHARS = 60_000;
    private static final int MAX_CELL = 1_000;

    Preview {
        columns = List.copyOf(columns);
        rows = List.copyOf(rows);
    }

    /** Reads the first rows; the request must ask for one more than {@link #MAX_ROWS}, which shows that there are more. */
    static Preview of(QueryRows result) {
        List<ResultColumn> columns = result.columns();
        List<Row> rows = new ArrayList<>();
        int chars = 0;
        Optional<Row> row = result.next();
        boolean truncated = false;
        while (row.isPresent()) {
            chars += cells(row.get()).toString().length();
            if (rows.size() == MAX_ROWS || chars > MAX_CHARS) {
                truncated = true;
            } else {
                rows.add(row.get());
            }
            row = result.next();
        }
        return new Preview(columns, rows, truncated);
    }

    /** For the record: column names and types, and cells as JSON knows them. */
    Map<String, Object> toJson() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put(
                "columns",
                columns.stream()
                        .map(column -> Map.of("name", column.name(), "type", column.type()))
                        .toList());
        json.put("rows", rows.stream().map(Preview::cells).toList());
        json.put("truncated", truncated);
        return json;
    }

    private static List<@Nullable Object> cells(Row row) {
        List<@Nullable Object> cells = new ArrayList<>();
        for (Object value : row.values()) {
            cells.add(cell(value));
        }
        return Collections.unmodifiableList(cells);
    }

    /** Numbers that JSON readers round, and everything else, as text. */
    private static @Nullable Object cell(@Nullable Object value) {
        return switch (value) {
            case null -> null;
            case Boolean _, Byte _, Short _, Integer _ -> value;
            case Long number when Math.abs(number) < 1L << 53 -> number;
            case Double number when Double.isFinite(number) -> number;
            case Float number when Float.isFinite(number) -> number;
            case byte[] bytes -> "(%d bytes)".formatted(bytes.length);
            default -> shortened(SqlValueText.of(value));
        };
    }

    private static String shortened(String text) {
        return text.length() <= MAX_CELL ? text : text.substring(0, MAX_CELL) + "...";
    }
}
