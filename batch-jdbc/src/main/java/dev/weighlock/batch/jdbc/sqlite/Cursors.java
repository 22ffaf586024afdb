package dev.weighlock.batch.jdbc.sqlite;

import dev.weighlock.batch.BatchError;
import dev.weighlock.batch.BatchException;
import dev.weighlock.batch.repository.Page;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** Opaque page cursors: the listing's letter and the key of the last row shown. */
final class Cursors {
    private static final int MAX_LIMIT = 1_000;

    private Cursors() {}

    /** The key after which a page begins. */
    static long decode(char listing, Optional<String> cursor, long first) {
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
    static <T> Page<T> page(char listing, List<T> rows, int limit, ToLongFunction<T> key) {
        if (rows.size() <= limit) {
            return new Page<>(rows, Optional.empty());
        }
        var shown = rows.subList(0, limit);
        var text = listing + Long.toString(key.applyAsLong(shown.getLast()));
        var cursor = Base64.getUrlEncoder().withoutPadding().encodeToString(text.getBytes(StandardCharsets.UTF_8));
        return new Page<>(shown, Optional.of(cursor));
    }

    static int checkedLimit(int limit) {
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
