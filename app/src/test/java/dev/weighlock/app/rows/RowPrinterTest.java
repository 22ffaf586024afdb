package dev.weighlock.app.rows;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weighlock.query.engine.NestedValue;
import dev.weighlock.query.engine.ResultColumn;
import dev.weighlock.query.engine.Row;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RowPrinterTest {
    private static final List<ResultColumn> COLUMNS =
            List.of(new ResultColumn("name", "VARCHAR"), new ResultColumn("total", "DECIMAL(15,2)"));

    @Test
    void table_alignsNumbersAndCountsRows() {
        assertThat(printed(RowPrinter::table, row("a", new BigDecimal("10.50")), row(null, new BigDecimal("3.00"))))
                .isEqualTo("""
                        name  total
                        ----  -----
                        a     10.50
                        NULL   3.00
                        (2 rows)
                        """);
    }

    @Test
    void table_longerThanItsSample_keepsEveryRow() {
        Row[] rows = new Row[1_200];
        java.util.Arrays.setAll(rows, number -> row("n" + number, BigDecimal.ONE));

        assertThat(printed(RowPrinter::table, rows).lines()).hasSize(1_203).contains("n1199      1", "(1200 rows)");
    }

    @Test
    void csv_quotesWhatNeedsItAndTellsNullFromEmpty() {
        assertThat(printed(RowPrinter::csv, row("a,\"b\"\n", BigDecimal.ONE), row(null, BigDecimal.TEN), row("", null)))
                .isEqualTo("name,total\n\"a,\"\"b\"\"\n\",1\n,10\n\"\",\n");
    }

    @Test
    void jsonLines_keepNumbersAndNestedValues() {
        assertThat(printed(
                        RowPrinter::jsonLines,
                        row(new NestedValue("[1]", "[1,{\"d\":\"2026-01-02\",\"x\":NaN}]"), new BigDecimal("1E+3"))))
                .isEqualTo("{\"name\":[1,{\"d\":\"2026-01-02\",\"x\":\"nan\"}],\"total\":1E+3}\n");
    }

    @Test
    void jsonDocument_hasColumnsWithTypesAndRowsInOrder() {
        assertThat(printed(RowPrinter::jsonDocument, row("a", BigDecimal.ONE), row(null, BigDecimal.TEN)))
                .isEqualTo("{\"schema\":\"weighlock.rows/1\",\"columns\":[{\"name\":\"name\",\"type\":\"VARCHAR\"},"
                        + "{\"name\":\"total\",\"type\":\"DECIMAL(15,2)\"}],\"rows\":[[\"a\",1],[null,10]]}\n");
        assertThat(printed(RowPrinter::jsonDocument)).endsWith("\"rows\":[]}\n");
    }

    private static Row row(@Nullable Object name, @Nullable Object total) {
        return Row.of(COLUMNS, new @Nullable Object[] {name, total});
    }

    private static String printed(Function<PrintStream, RowPrinter> format, Row... rows) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        RowPrinter printer = format.apply(new PrintStream(bytes, true, StandardCharsets.UTF_8));
        printer.begin(COLUMNS);
        for (Row row : rows) {
            printer.row(row);
        }
        printer.end(null);
        return bytes.toString(StandardCharsets.UTF_8);
    }
}
