package dev.weighlock.duckdb;

import dev.weighlock.query.engine.NestedValue;
import java.math.BigDecimal;
import java.math.BigInteger;
import org.jspecify.annotations.Nullable;

/** Estimates of what a row takes: on the heap, on the large side, and in the engine. */
final class RowSize {
    private static final long ROW_BYTES = 48;
    private static final long SLOT_BYTES = 8;
    private static final long SMALL_OBJECT_BYTES = 24;

    private RowSize() {}

    static long onHeap(@Nullable Object[] values) {
        var bytes = ROW_BYTES + SLOT_BYTES * values.length;
        for (var value : values) {
            bytes += of(value);
        }
        return bytes;
    }

    /** The text and blobs of a row, and a slot for each value. */
    static long inEngine(@Nullable Object[] values) {
        var bytes = 2 * SLOT_BYTES * values.length;
        for (var value : values) {
            bytes += switch (value) {
                case String text -> text.length();
                case NestedValue nested -> nested.text().length();
                case byte[] blob -> blob.length;
                case null, default -> 0;
            };
        }
        return bytes;
    }

    private static long of(@Nullable Object value) {
        return switch (value) {
            case null -> 0;
            case Boolean _ -> 0;
            case String text -> 56 + 2L * text.length();
            case NestedValue nested -> 2 * SMALL_OBJECT_BYTES + of(nested.text()) + of(nested.json());
            case byte[] blob -> SMALL_OBJECT_BYTES + blob.length;
            case BigDecimal _, BigInteger _ -> 104;
            default -> 2 * SMALL_OBJECT_BYTES;
        };
    }
}
