package dev.weighlock.batch.repository;

import dev.weighlock.batch.BatchError;
import dev.weighlock.batch.BatchException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Opaque cursors of keyset pages: the listing's letter and the key of the last row shown. For implementers of the port;
 * pure.
 */
public final class PageCursors {
    private static final int MAX_LIMIT = 1_000;

    private PageCursors() {}

    /** The key after which a page begins; {@code first} without a cursor. */
    public static long decode(char listing, Optional<String> cursor, long first) {
        if (cursor.isEmpty()) {
            return first;
        }
        try {
            var text = new String(Base64.getUrlDecoder().decode(cursor.get()), StandardCharsets.UTF_8);
            if (!text.isEmpty() && text.charAt(0) == listing) {
                return Long.parseLong(text, 1, text.length(), 10);
            }
        } catch (IllegalArgumentException e) {
            throw invalid(cursor.get(), e);
        }
        throw invalid(cursor.get(), null);
    }

    /** @param rows up to one more than {@code limit}, which tells that there is a next page */
    public static <T> Page<T> page(char listing, List<T> rows, int limit, ToLongFunction<T> key) {
        if (rows.size() <= limit) {
            return new Page<>(rows, Optional.empty());
        }
        var shown = rows.subList(0, limit);
        var text = listing + Long.toString(key.applyAsLong(shown.getLast()));
        var cursor = Base64.getUrlEncoder().withoutPadding().encodeToString(text.getBytes(StandardCharsets.UTF_8));
        return new Page<>(shown, Optional.of(cursor));
    }

    /** The limit, when a page may have so many rows. */
    public static int checkedLimit(int limit) {
        if (limit < 1 || limit > MAX_LIMIT) {
            throw new BatchException(
                    BatchError.INVALID_PARAMETER, "a page has 1 to " + MAX_LIMIT + " rows, not " + limit);
        }
        return limit;
    }

    private static BatchException invalid(String cursor, @Nullable Throwable cause) {
        return new BatchException(BatchError.INVALID_PARAMETER, "not a cursor of this listing: " + cursor, cause);
    }
}
