package dev.weighlock.query.engine;

import java.util.List;

/**
 * Rows fetched at once.
 *
 * @param bytes what they are charged with until they are read: an estimate of their size on the heap, never under it
 *     by more than the reserve
 */
public record RowBatch(List<Row> rows, long bytes) {
    public RowBatch {
        rows = List.copyOf(rows);
    }
}
