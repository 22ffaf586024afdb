package dev.weighlock.batch.repository;

import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.function.ToLongFunction;

/** Pages, newest first, over maps whose keys rise with time. */
final class MemoryPage {
    private MemoryPage() {}

    static <T> Page<T> newestFirst(
            char listing, NavigableMap<Long, T> rows, Optional<String> cursor, int limit, ToLongFunction<T> key) {
        PageCursors.checkedLimit(limit);
        var older = rows.headMap(PageCursors.decode(listing, cursor, Long.MAX_VALUE), false);
        return PageCursors.page(listing, first(older.descendingMap(), limit), limit, key);
    }

    /** One more than a page has, which tells whether there is a next one. */
    private static <T> List<T> first(NavigableMap<Long, T> rows, int limit) {
        return rows.values().stream().limit(limit + 1L).toList();
    }
}
