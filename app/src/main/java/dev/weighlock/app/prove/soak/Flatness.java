package dev.weighlock.app.prove.soak;

import dev.weighlock.app.prove.stand.Findings;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;

/**
 * Whether a figure grows: its least value in the last quarter beside that in the second one, for what comes and goes is not
 * kept, and the first quarter warms up.
 */
record Flatness(List<Sample> samples, Findings findings) {
    /** What a pool may still grow by. */
    private static final long A_FEW = 2;

    private static final long HEAP_BYTES = 8L << 20;

    /** The fewest samples that make quarters. */
    static final int LEAST = 8;

    Map<String, Object> judged() {
        Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("threads", figure("threads", Sample::threads, A_FEW));
        figures.put("handles", figure("open file handles", Sample::handles, A_FEW));
        if (samples.getLast().handles() < 0) {
            findings.unexamined("handles", "this system does not tell how many files a process has open");
        }
        figures.put("connections", figure("connections", Sample::connections, A_FEW));
        figures.put("temp_files", figure("temporary files", Sample::tempFiles, 0));
        figures.put("heap_bytes", figure("heap in use after a collection", Sample::heapBytes, HEAP_BYTES));
        figures.put("resident_bytes", figure("resident memory", Sample::residentBytes, Long.MAX_VALUE));
        return figures;
    }

    private Map<String, Object> figure(String what, ToLongFunction<Sample> figure, long tolerated) {
        int quarter = samples.size() / 4;
        long early = least(samples.subList(quarter, 2 * quarter), figure);
        long late = least(samples.subList(samples.size() - quarter, samples.size()), figure);
        findings.require(
                late - early <= tolerated,
                what + " grew from " + early + " in the second quarter of the cycles to " + late + " in the last");
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("second_quarter_least", early);
        values.put("last_quarter_least", late);
        values.put("most", samples.stream().mapToLong(figure).max().orElse(0));
        values.put("may_grow_by", tolerated == Long.MAX_VALUE ? "told, not judged" : tolerated);
        return values;
    }

    private static long least(List<Sample> part, ToLongFunction<Sample> figure) {
        return part.stream().mapToLong(figure).min().orElse(0);
    }
}
