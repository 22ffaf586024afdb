package dev.weighlock.batch.run;

import dev.weighlock.batch.ExecutionContext;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a step put into the job's context, kept in its own context too: that commits with the step's work, the job's row
 * only when the job ends.
 */
final class JobEntries {
    private static final String KEY = "weighlock.job";

    private JobEntries() {}

    static ExecutionContext with(ExecutionContext step, String key, @Nullable Object value) {
        var entries = new LinkedHashMap<String, @Nullable Object>();
        of(step).forEach((name, earlier) -> entries.put((String) name, earlier));
        entries.put(key, value);
        return step.with(KEY, entries);
    }

    /** Puts into the job's context what the stored context of a step says it had put. */
    static void recall(ExecutionContext step, JobRow job) {
        of(step).forEach((name, value) -> job.put((String) name, value));
    }

    private static Map<?, ?> of(ExecutionContext step) {
        return step.value(KEY).orElse(Map.of()) instanceof Map<?, ?> entries ? entries : Map.of();
    }
}
