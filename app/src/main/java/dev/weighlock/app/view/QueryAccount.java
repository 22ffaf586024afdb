package dev.weighlock.app.view;

import dev.weighlock.app.terminal.Table;
import dev.weighlock.app.terminal.Units;
import dev.weighlock.query.backend.QuerySummary;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What one query cost: how long it waited and ran, what it was granted and what it used. Absent is null.
 *
 * @param label the step, or the step and partition
 * @param overshootBytes what was seen from outside beyond the peak
 */
public record QueryAccount(
        String label,
        String outcome,
        @Nullable Duration waited,
        @Nullable Duration execution,
        @Nullable Duration total,
        @Nullable Long grantBytes,
        @Nullable Long peakBytes,
        @Nullable Long overshootBytes,
        @Nullable Long tempBytes,
        @Nullable Long rows) {
    private static final String NOT_SEEN = "not seen from outside";

    public static QueryAccount of(QuerySummary summary) {
        String label = summary.label();
        return new QueryAccount(
                label == null ? "query" : label,
                summary.outcome().name(),
                summary.queueWait(),
                summary.executionTime(),
                summary.totalTime(),
                summary.grantBytes(),
                summary.peakBytes(),
                summary.overshootBytes(),
                summary.tempBytes(),
                summary.resultRows());
    }

    /** From the figures of a sealed report as a step stores them. */
    static QueryAccount ofReport(String label, Map<?, ?> report) {
        return new QueryAccount(
                label,
                String.valueOf(report.get("outcome")),
                nanos(number(report.get("queue_wait_ns"))),
                nanos(number(report.get("execution_ns"))),
                nanos(number(report.get("total_ns"))),
                number(report.get("grant_bytes")),
                number(report.get("peak_bytes")),
                number(report.get("overshoot_bytes")),
                number(report.get("temp_bytes")),
                number(report.get("result_rows")));
    }

    private static @Nullable Duration nanos(@Nullable Long nanos) {
        return nanos == null ? null : Duration.ofNanos(nanos);
    }

    private static @Nullable Long number(@Nullable Object value) {
        return value instanceof Number number ? number.longValue() : null;
    }

    /** Several accounts as one table. */
    public static Table table(List<QueryAccount> accounts) {
        Table table =
                new Table("QUERY", "OUTCOME", "#WAITED", "#GRANTED", "#PEAK", "#BEYOND", "#SPILLED", "#ROWS", "#TOOK");
        for (QueryAccount account : accounts) {
            table.row(
                    account.label,
                    account.outcome,
                    time(account.waited),
                    bytes(account.grantBytes),
                    bytes(account.peakBytes),
                    bytes(account.overshootBytes),
                    bytes(account.tempBytes),
                    count(account.rows),
                    time(account.total));
        }
        return table;
    }

    /** The account as lines of text. */
    public List<String> lines() {
        return List.of(
                "outcome   " + outcome,
                "rows      " + count(rows),
                "waited    " + time(waited),
                "ran       " + time(execution),
                "total     " + time(total),
                "granted   " + bytes(grantBytes),
                "peak      " + bytes(peakBytes),
                "beyond    " + (overshootBytes == null ? NOT_SEEN : bytes(overshootBytes)),
                "spilled   " + bytes(tempBytes));
    }

    static String time(@Nullable Duration duration) {
        return duration == null ? Phrases.NONE : Units.duration(duration);
    }

    static String bytes(@Nullable Long bytes) {
        return bytes == null ? Phrases.NONE : Units.bytes(bytes);
    }

    static String count(@Nullable Long count) {
        return count == null ? Phrases.NONE : Units.count(count);
    }
}
