package dev.weighlock.app.terminal;

import java.io.PrintStream;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Shows what runs: on a terminal a block of bars that is drawn again in place; elsewhere a plain line whenever a step's state changes
 * and a sign of life every ten seconds. For one thread.
 */
public final class ProgressBoard {
    private static final long SIGN_OF_LIFE_NANOS = Duration.ofSeconds(10).toNanos();
    private static final int MOST_ROWS = 16;
    private static final int BAR = 20;

    private final PrintStream out;
    private final boolean inPlace;
    private final int width;
    private final Map<String, Seen> seen = new HashMap<>();
    private int drawnLines;

    /** What was known of a row when it first ran, and what was last said of it. */
    private static final class Seen {
        final long firstNanos;
        final long firstRows;
        String state;
        long saidNanos;

        Seen(long nanos, ProgressRow row) {
            this.firstNanos = nanos;
            this.firstRows = Math.max(0, row.rows());
            this.state = "";
            this.saidNanos = nanos;
        }
    }

    public ProgressBoard(PrintStream out, boolean inPlace, int width) {
        this.out = out;
        this.inPlace = inPlace;
        this.width = width;
    }

    /** Shows the rows as they are at {@code nanos} (of a monotonic clock). */
    public void show(List<ProgressRow> rows, long nanos) {
        for (ProgressRow row : rows) {
            seen.computeIfAbsent(row.label(), label -> new Seen(nanos, row));
        }
        if (inPlace) {
            draw(rows, nanos);
        } else {
            rows.forEach(row -> sayWhatChanged(row, nanos));
        }
    }

    /** Leaves the last block standing; what is printed next goes below it. */
    public void finish() {
        drawnLines = 0;
        out.flush();
    }

    private void draw(List<ProgressRow> rows, long nanos) {
        StringBuilder block = new StringBuilder();
        if (drawnLines > 0) {
            block.append("\u001b[").append(drawnLines).append("A\u001b[J");
        }
        List<ProgressRow> shown = rows.size() <= MOST_ROWS ? rows : mostTelling(rows);
        for (ProgressRow row : shown) {
            block.append(cut(bar(row) + " " + describe(row, nanos))).append('\n');
        }
        if (shown.size() < rows.size()) {
            block.append("  … and ").append(rows.size() - shown.size()).append(" more\n");
        }
        drawnLines = shown.size() + (shown.size() < rows.size() ? 1 : 0);
        out.print(block);
        out.flush();
    }

    private static List<ProgressRow> mostTelling(List<ProgressRow> rows) {
        List<ProgressRow> running = rows.stream().filter(ProgressRow::running).toList();
        List<ProgressRow> chosen = running.isEmpty() ? rows : running;
        return chosen.subList(Math.max(0, chosen.size() - MOST_ROWS), chosen.size());
    }

    private String cut(String text) {
        return text.codePointCount(0, text.length()) < width ? text : text.substring(0, width - 2) + "…";
    }

    private static String bar(ProgressRow row) {
        if (row.totalParts() <= 0) {
            return "[" + (row.running() ? "·" : "█").repeat(BAR) + "]";
        }
        int full = (int) (BAR * row.parts() / row.totalParts());
        return "[" + "█".repeat(full) + "·".repeat(BAR - full) + "]";
    }

    private void sayWhatChanged(ProgressRow row, long nanos) {
        Seen before = Objects.requireNonNull(seen.get(row.label()));
        boolean changed = !row.isPartition() && !before.state.equals(row.state());
        boolean longSilent = row.running() && nanos - before.saidNanos >= SIGN_OF_LIFE_NANOS;
        if (changed || longSilent) {
            before.state = row.state();
            before.saidNanos = nanos;
            out.println(describe(row, nanos));
        }
    }

    private String describe(ProgressRow row, long nanos) {
        Seen before = Objects.requireNonNull(seen.get(row.label()));
        double seconds = (nanos - before.firstNanos) / 1e9;
        StringBuilder text = new StringBuilder(row.label()).append("  ").append(row.state());
        if (row.totalParts() > 0) {
            text.append("  ").append(Units.count(row.parts())).append(" of ").append(Units.count(row.totalParts()));
        }
        if (row.rows() > 0) {
            text.append("  ").append(Units.count(row.rows())).append(" rows");
            appendRate(text, row, row.rows() - before.firstRows, seconds);
        }
        appendMemory(text, row.memory());
        appendTimeLeft(text, row, seconds);
        return text.toString();
    }

    private static void appendRate(StringBuilder text, ProgressRow row, long gained, double seconds) {
        if (row.running() && seconds > 0.2 && gained > 0) {
            text.append("  ").append(Units.count((long) (gained / seconds))).append("/s");
        }
    }

    private static void appendMemory(StringBuilder text, ProgressRow.@Nullable Memory memory) {
        if (memory != null) {
            boolean known = memory.usedBytes() != ProgressRow.Memory.UNKNOWN;
            text.append("  ").append(known ? Units.bytes(memory.usedBytes()) + " of " : "");
            text.append(Units.bytes(memory.grantedBytes())).append(" granted");
        }
    }

    private static void appendTimeLeft(StringBuilder text, ProgressRow row, double seconds) {
        if (row.running() && row.parts() > 0 && row.parts() < row.totalParts()) {
            double left = seconds / row.parts() * (row.totalParts() - row.parts());
            text.append("  about ")
                    .append(Units.duration(Duration.ofMillis((long) (left * 1000))))
                    .append(" left");
        }
    }
}
