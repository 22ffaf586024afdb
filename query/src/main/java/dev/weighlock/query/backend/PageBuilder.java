package dev.weighlock.query.backend;

import dev.weighlock.query.ErrorCode;
import dev.weighlock.query.FactKey;
import dev.weighlock.query.Facts;
import dev.weighlock.query.QueryException;
import dev.weighlock.query.Reason;
import dev.weighlock.query.engine.ResultColumn;
import dev.weighlock.query.engine.Row;
import dev.weighlock.query.engine.RowBatch;
import java.util.ArrayList;
import java.util.List;

/** Collects the rows of a result into pages, as far as they may take memory. Used by the query's own thread. */
final class PageBuilder implements RowSink {
    private final int rowsPerPage;
    private final long limitBytes;
    private final List<List<Row>> pages = new ArrayList<>();
    private List<ResultColumn> columns = List.of();
    private List<Row> page = new ArrayList<>();
    private long allowanceBytes;
    private volatile long bytes;

    /** @param limitBytes of one kept result, whatever the grant would hold */
    PageBuilder(int rowsPerPage, long limitBytes) {
        this.rowsPerPage = rowsPerPage;
        this.limitBytes = limitBytes;
    }

    @Override
    public void begin(List<ResultColumn> names, long allowance) {
        columns = names;
        allowanceBytes = Math.min(limitBytes, allowance);
    }

    @Override
    public void put(RowBatch batch) {
        var together = bytes + batch.bytes();
        if (together > allowanceBytes) {
            throw new QueryException(
                    ErrorCode.RESULT_LIMIT_EXCEEDED,
                    "fetch",
                    "the result takes more than the " + allowanceBytes
                            + " bytes that may be kept for paging; select less, or read or write it as a whole",
                    Facts.of(Reason.RESULT_ALLOWANCE).with(FactKey.LIMIT_BYTES, allowanceBytes));
        }
        bytes = together;
        for (var row : batch.rows()) {
            page.add(row);
            if (page.size() == rowsPerPage) {
                turn();
            }
        }
    }

    private void turn() {
        pages.add(List.copyOf(page));
        page = new ArrayList<>();
    }

    @Override
    public void end() {
        if (!page.isEmpty() || pages.isEmpty()) {
            turn();
        }
    }

    @Override
    public long peakBytes() {
        return bytes;
    }

    List<ResultColumn> columns() {
        return columns;
    }

    /** After the end: at least one, the last perhaps short. */
    List<List<Row>> pages() {
        return List.copyOf(pages);
    }

    int rowsPerPage() {
        return rowsPerPage;
    }
}
