package dev.weighlock.batch.repository;

import dev.weighlock.batch.BatchError;
import dev.weighlock.batch.BatchException;
import java.util.ArrayList;
import java.util.NavigableMap;
import java.util.Optional;

/** Pages over maps whose keys rise with time; the cursor is the last key seen. */
final class MemoryPage {
    private MemoryPage() {}

    static <T> Page<T> descending(NavigableMap<Long, T> rows, Optional<String> cursor, int limit) {
        return walk(rows.descendingMap(), cursor, limit);
    }

    static <T> Page<T> walk(NavigableMap<Long, T> rows, Optional<String> cursor, int limit) {
        var rest = cursor.isEmpty() ? rows : rows.tailMap(key(cursor.get()), false);
        var items = new ArrayList<T>();
        long last = 0;
        for (var entry : rest.entrySet()) {
            if (items.size() == limit) {
                return new Page<>(items, Optional.of(Long.toString(last)));
            }
            items.add(entry.getValue());
            last = entry.getKey();
        }
        return new Page<>(items, Optional.empty());
    }

    private static long key(String cursor) {
        try {
            return Long.parseLong(cursor);
        } catch (NumberFormatException e) {
            throw new BatchException(BatchError.UNKNOWN_FORMAT, "the cursor is not one of this repository", e);
        }
    }
}
