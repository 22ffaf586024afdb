package dev.weighlock.query.testkit.load;

import java.util.List;
import java.util.stream.IntStream;

/** Queries that need no data and many megabytes. */
public final class HeavyQueries {
    /** What each is meant to run under: less than it needs, or enough for it but not for many at once. */
    public static final long CAP_BYTES = 96L << 20;

    private HeavyQueries() {}

    /** A sort, an aggregate with many groups, a join with a large build side, a window in turns: each spills. */
    public static String spilling(int i) {
        var rows = 600_000 + 1_000 * i;
        return switch (i % 4) {
            case 0 ->
                "SELECT count(*) FROM (SELECT i::VARCHAR || repeat('x', 60) x FROM range(" + rows
                        + ") t(i) ORDER BY x LIMIT " + (rows - 1) + ")";
            case 1 ->
                "SELECT count(*), max(n) FROM (SELECT i % " + rows
                        + " k, count(*) n, min(i::VARCHAR || 'some text') FROM range(" + 2 * rows
                        + ") t(i) GROUP BY k)";
            case 2 ->
                "SELECT count(*) FROM (SELECT i, i::VARCHAR || repeat('y', 40) y FROM range(" + rows
                        + ") t(i)) a JOIN (SELECT i, i::VARCHAR || repeat('z', 40) z FROM range(" + rows
                        + ") t(i)) b ON a.i = b.i WHERE a.y <> b.z";
            default ->
                "SELECT count(*) FROM (SELECT i, row_number() OVER (ORDER BY hash(i)) n, i::VARCHAR || repeat('w', 30)"
                        + " w FROM range("
                        + rows / 2 + ") t(i)) WHERE n > 0 AND w <> ''";
        };
    }

    /** States of aggregates that stay in memory whatever happens; each fits into the cap. */
    public static String unspillable(int i) {
        return switch (i % 2) {
            case 0 -> "SELECT len(list(hash(i))) FROM range(" + (2_800_000 + 1_000 * i) + ") t(i)";
            default -> "SELECT median(hash(i)) FROM range(" + (2_000_000 + 1_000 * i) + ") t(i)";
        };
    }

    /** So many, of which every second can spill. */
    public static List<String> mixed(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> i % 2 == 0 ? spilling(i / 2) : unspillable(i / 2))
                .toList();
    }
}
