package dev.weighlock.app.demo;

import dev.weighlock.app.terminal.Table;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/** The demo's report as a table: nations by revenue, a column for each year, in millions. */
final class RevenueTable {
    private static final BigDecimal MILLION = BigDecimal.valueOf(1_000_000);

    private final Map<String, Map<String, BigDecimal>> byNation = new LinkedHashMap<>();
    private final TreeSet<String> years = new TreeSet<>();

    /** Reads {@code nation,year,revenue} lines with a header. */
    static RevenueTable read(Path report) throws IOException {
        RevenueTable table = new RevenueTable();
        Files.readAllLines(report).stream().skip(1).forEach(table::add);
        return table;
    }

    private void add(String line) {
        String[] cells = line.split(",", 3);
        years.add(cells[1]);
        byNation.computeIfAbsent(cells[0], nation -> new TreeMap<>()).put(cells[1], new BigDecimal(cells[2]));
    }

    int nations() {
        return byNation.size();
    }

    /** The {@code most} nations with the highest revenue over all years. */
    Table top(int most) {
        List<String> columns = new ArrayList<>(List.of("NATION"));
        years.forEach(year -> columns.add("#" + year));
        columns.add("#TOTAL");
        Table table = new Table(columns);
        byNation.entrySet().stream()
                .sorted(Comparator.comparing(
                        (Map.Entry<String, Map<String, BigDecimal>> entry) -> total(entry.getValue()),
                        Comparator.reverseOrder()))
                .limit(most)
                .forEach(entry -> table.row(row(entry.getKey(), entry.getValue())));
        return table;
    }

    private List<String> row(String nation, Map<String, BigDecimal> revenue) {
        List<String> row = new ArrayList<>(List.of(nation));
        years.forEach(year -> row.add(millions(revenue.getOrDefault(year, BigDecimal.ZERO))));
        row.add(millions(total(revenue)));
        return row;
    }

    private static BigDecimal total(Map<String, BigDecimal> revenue) {
        return revenue.values().stream().reduce(BigDecimal.ZERO, BigDecimal::add);
    }

    private static String millions(BigDecimal amount) {
        return String.format(Locale.ROOT, "%,.1f", amount.divide(MILLION, 4, RoundingMode.HALF_UP));
    }
}
