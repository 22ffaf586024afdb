package dev.weighlock.batch.run;

import dev.weighlock.batch.BatchError;
import dev.weighlock.batch.BatchException;
import dev.weighlock.batch.ExecutionContext;
import dev.weighlock.batch.StepCounts;
import java.util.List;
import java.util.Map;

/**
 * How far a chunk step or partition is committed, over all attempts.
 *
 * @param sequence chunks committed
 * @param context everything stored, this position's own entry included
 */
record ChunkPosition(long sequence, StepCounts totals, ExecutionContext context) {
    private static final String KEY = "weighlock.chunk";

    /** The position that a stored context tells; zero when it tells none. */
    static ChunkPosition of(ExecutionContext stored) {
        var entry = stored.value(KEY).orElse(null);
        if (entry == null) {
            return new ChunkPosition(0, StepCounts.ZERO, stored);
        }
        if (entry instanceof List<?> list && list.size() == 10 && list.stream().allMatch(Long.class::isInstance)) {
            var n = list.stream().mapToLong(value -> (Long) value).toArray();
            var totals = new StepCounts(n[1], n[2], n[3], n[4], n[5], n[6], n[7], n[8], n[9]);
            return new ChunkPosition(n[0], totals, stored);
        }
        throw new BatchException(BatchError.UNKNOWN_FORMAT, "the stored position of a chunk step cannot be read");
    }

    static boolean isIn(ExecutionContext stored) {
        return stored.value(KEY).isPresent();
    }

    /** This position with its entry written into {@code base}. */
    static ChunkPosition at(long sequence, StepCounts totals, ExecutionContext base) {
        var t = totals;
        var entry = List.of(
                sequence,
                t.read(),
                t.processed(),
                t.written(),
                t.filtered(),
                t.readSkips(),
                t.processSkips(),
                t.writeSkips(),
                t.commits(),
                t.rollbacks());
        return new ChunkPosition(sequence, totals, merged(base, Map.of(KEY, entry)));
    }

    /** {@code base} with the entries of {@code more}. */
    static ExecutionContext merged(ExecutionContext base, Map<String, ?> more) {
        var all = new java.util.LinkedHashMap<String, @org.jspecify.annotations.Nullable Object>(base.asMap());
        all.putAll(more);
        return ExecutionContext.of(all);
    }
}
