package dev.weighlock.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weighlock.app.command.WlProcess.Outcome;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.duckdb.DuckDBDriver;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The demo, which loads a database, reads it back and joins in 25 partitions, beside one plain query over its CSV files. */
class DemoFiguresTest {
    private static final int NATIONS = 25;

    @TempDir
    Path folder;

    @Test
    void demo_figuresAndAccounts_areThoseOfOnePlainQuery() throws Exception {
        Outcome demo = WlProcess.run(folder, "demo", "--scale", "0.01");

        assertThat(demo.code()).as(demo.err()).isZero();
        List<String> expected = query("""
                SELECT n_name, year(CAST(o_orderdate AS DATE)),
                       sum(CAST(l_extendedprice AS DECIMAL(15, 2)) * (1 - CAST(l_discount AS DECIMAL(15, 2))))
                FROM read_csv('data/nation.csv', header = true, all_varchar = true)
                JOIN read_csv('data/customer.csv', header = true, all_varchar = true) ON c_nationkey = n_nationkey
                JOIN read_csv('data/orders.csv', header = true, all_varchar = true) ON o_custkey = c_custkey
                JOIN read_csv('data/lineitem.csv', header = true, all_varchar = true) ON l_orderkey = o_orderkey
                GROUP BY ALL
                ORDER BY 1, 2
                """);
        assertThat(report()).isEqualTo(expected).hasSizeGreaterThan(NATIONS);
        assertThat(sum(report())).isEqualTo(sum(expected)).isPositive();

        Shown shown = Shown.execution(folder.resolve("demo"), 1);
        long orders = rowsOf("orders");
        assertThat(shown.step("load").path("counts").path("written").asLong()).isEqualTo(orders);
        assertThat(outputRows(shown, "orders")).isEqualTo(orders);
        assertThat(outputRows(shown, "lineitem")).isEqualTo(rowsOf("lineitem"));
        assertThat(outputRows(shown, "report")).isEqualTo(expected.size());
        assertThat(shown.queries()).hasSize(NATIONS + 3).allSatisfy(DemoFiguresTest::accounted);
    }

    /** Waited, was granted, and took no more than that. */
    private static void accounted(JsonNode query) {
        assertThat(query.path("outcome").asString()).isEqualTo("SUCCEEDED");
        assertThat(query.path("queue_wait_ns").asLong(-1)).as("%s", query).isNotNegative();
        assertThat(query.path("grant_bytes").asLong(-1)).as("%s", query).isPositive();
        assertThat(query.path("peak_bytes").asLong(-1))
                .as("%s", query)
                .isPositive()
                .isLessThanOrEqualTo(query.path("grant_bytes").asLong());
    }

    private static long outputRows(Shown shown, String step) {
        return shown.step(step).path("evidence").path("output").path("rows").asLong(-1);
    }

    private List<String> report() throws Exception {
        try (Stream<Path> reports = Files.list(folder.resolve("demo/out"))) {
            List<String> lines = Files.readAllLines(reports.findFirst().orElseThrow());
            return lines.subList(1, lines.size());
        }
    }

    private static BigDecimal sum(List<String> rows) {
        return rows.stream()
                .map(row -> new BigDecimal(row.substring(row.lastIndexOf(',') + 1)))
                .reduce(BigDecimal.ZERO, BigDecimal::add);
    }

    private long rowsOf(String table) throws Exception {
        try (Stream<String> lines = Files.lines(folder.resolve("demo/data/" + table + ".csv"))) {
            return lines.count() - 1;
        }
    }

    private List<String> query(String sql) throws Exception {
        String placed = sql.replace("'data/", "'" + folder.resolve("demo/data") + "/");
        List<String> rows = new ArrayList<>();
        try (Connection plain = new DuckDBDriver().connect("jdbc:duckdb:", new java.util.Properties());
                Statement statement = plain.createStatement();
                ResultSet result = statement.executeQuery(placed)) {
            while (result.next()) {
                rows.add(result.getString(1) + "," + result.getLong(2) + ","
                        + result.getBigDecimal(3).toPlainString());
            }
        }
        return rows;
    }
}
