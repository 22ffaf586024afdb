package dev.weighlock.app.rows;

import dev.weighlock.query.engine.ResultColumn;
import dev.weighlock.query.engine.Row;
import dev.weighlock.query.engine.SqlValueText;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Aligned columns. The first rows decide the widths; later rows are printed as they come, so that a long result neither waits nor
 * fills the memory.
 */
final class TableRows implements RowPrinter {
    private static final int SAMPLE = 500;
    private static final int MOST_WIDTH = 80;
    private static final String GAP = "  ";

    private final PrintStream out;
    private final List<List<String>> sample = new ArrayList<>();
    private int[] widths = new int[0];
    private boolean[] right = new boolean[0];
    private boolean measured;
    private long rows;

    TableRows(PrintStream out) {
        this.out = out;
    }

    @Override
    public void begin(List<ResultColumn> columns) {
        widths = new int[columns.size()];
        right = new boolean[columns.size()];
        for (int column = 0; column < widths.length; column++) {
            right[column] = isNumber(columns.get(column).type());
        }
        sample.add(columns.stream().map(column -> oneLine(column.name())).toList());
    }

    @Override
    public void row(Row row) {
        rows++;
        List<String> cells = row.values().stream()
                .map(value -> value == null ? "NULL" : oneLine(SqlValueText.of(value)))
                .toList();
        if (measured) {
            print(cells);
        } else {
            sample.add(cells);
            if (sample.size() > SAMPLE) {
                printSample();
            }
        }
    }

    @Override
    public void end(@Nullable Map<String, Object> account) {
        if (!measured) {
            printSample();
        }
        out.println("(" + rows + (rows == 1 ? " row)" : " rows)"));
        out.flush();
    }

    private void printSample() {
        measured = true;
        for (List<String> cells : sample) {
            for (int column = 0; column < widths.length; column++) {
                widths[column] = Math.max(widths[column], Math.min(MOST_WIDTH, length(cells.get(column))));
            }
        }
        print(sample.getFirst());
        print(line());
        sample.stream().skip(1).forEach(this::print);
        sample.clear();
    }

    private List<String> line() {
        List<String> line = new ArrayList<>();
        for (int width : widths) {
            line.add("-".repeat(width));
        }
        return line;
    }

    private void print(List<String> cells) {
        StringBuilder text = new StringBuilder();
        for (int column = 0; column < widths.length; column++) {
            String cell = cells.get(column);
            String padding = " ".repeat(Math.max(0, widths[column] - length(cell)));
            text.append(column == 0 ? "" : GAP).append(right[column] ? padding + cell : cell + padding);
        }
        out.println(text.toString().stripTrailing());
    }

    private static int length(String text) {
        return text.codePointCount(0, text.length());
    }

    private static String oneLine(String text) {
        return text.codePoints().anyMatch(Character::isISOControl) ? text.replaceAll("\\p{Cntrl}", " ") : text;
    }

    private static boolean isNumber(String type) {
        String name = type.toUpperCase(Locale.ROOT);
        return !name.endsWith("[]")
                && (name.endsWith("INT")
                        || name.endsWith("INTEGER")
                        || name.startsWith("DECIMAL")
                        || name.equals("DOUBLE")
                        || name.equals("FLOAT"));
    }
}
