package dev.weighlock.app.terminal;

import java.util.ArrayList;
import java.util.List;

/** Rows in aligned columns; a column whose name begins with {@code #} is aligned to the right and shown without the sign. */
public final class Table {
    private static final String GAP = "  ";

    private final List<String> names = new ArrayList<>();
    private final List<Boolean> right = new ArrayList<>();
    private final List<List<String>> rows = new ArrayList<>();

    public Table(String... columns) {
        this(List.of(columns));
    }

    public Table(List<String> columns) {
        for (String column : columns) {
            right.add(column.startsWith("#"));
            names.add(column.startsWith("#") ? column.substring(1) : column);
        }
    }

    /** Adds a row with one text per column. */
    public Table row(List<String> cells) {
        if (cells.size() != names.size()) {
            throw new IllegalArgumentException("a row has " + names.size() + " cells, not " + cells.size());
        }
        rows.add(cells.stream().map(Table::oneLine).toList());
        return this;
    }

    public Table row(String... cells) {
        return row(List.of(cells));
    }

    public boolean isEmpty() {
        return rows.isEmpty();
    }

    /** The lines of the table, header first, without trailing spaces. */
    public List<String> lines() {
        int[] widths = widths();
        List<String> lines = new ArrayList<>();
        lines.add(line(names, widths));
        for (List<String> row : rows) {
            lines.add(line(row, widths));
        }
        return lines;
    }

    public void print(Terminal terminal) {
        List<String> lines = lines();
        terminal.line(terminal.styled(Style.STRONG, lines.getFirst()));
        lines.stream().skip(1).forEach(terminal::line);
    }

    private int[] widths() {
        int[] widths = new int[names.size()];
        for (int column = 0; column < widths.length; column++) {
            widths[column] = length(names.get(column));
            for (List<String> row : rows) {
                widths[column] = Math.max(widths[column], length(row.get(column)));
            }
        }
        return widths;
    }

    private String line(List<String> cells, int[] widths) {
        StringBuilder line = new StringBuilder();
        for (int column = 0; column < widths.length; column++) {
            String cell = cells.get(column);
            String padding = " ".repeat(widths[column] - length(cell));
            line.append(column == 0 ? "" : GAP);
            line.append(right.get(column) ? padding + cell : cell + padding);
        }
        return line.toString().stripTrailing();
    }

    private static int length(String text) {
        return text.codePointCount(0, text.length());
    }

    /** Control characters in data must not move the cursor of whoever looks at it. */
    private static String oneLine(String text) {
        return text.codePoints().anyMatch(Character::isISOControl) ? text.replaceAll("\\p{Cntrl}", " ") : text;
    }
}
