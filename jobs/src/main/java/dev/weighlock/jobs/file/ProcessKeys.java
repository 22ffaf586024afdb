package dev.weighlock.jobs.file;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** What happens to an item between reading and writing. */
public sealed interface ProcessKeys {
    /**
     * SQL expressions over the item's columns, run by the engine a chunk at a time.
     *
     * @param where items for which this is not true are filtered out
     * @param set column to expression; one that the item lacks is added
     */
    record Expressions(Optional<SqlSource> where, Map<String, SqlSource> set) implements ProcessKeys {
        public Expressions {
            set = Collections.unmodifiableMap(new LinkedHashMap<>(set));
        }
    }

    /** A class of the user's, one item at a time. */
    record OfClass(String className) implements ProcessKeys {}
}
