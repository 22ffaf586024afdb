package dev.weighlock.query.backend;

import dev.weighlock.query.engine.ResultColumn;
import dev.weighlock.query.engine.RowBatch;
import java.util.List;

/** Where the rows of a query go. Filled by the query's own thread. */
interface RowSink {
    /**
     * The columns are known.
     *
     * @param allowanceBytes how much the rows may take here
     */
    void begin(List<ResultColumn> columns, long allowanceBytes);

    /** Takes the batch; throws what the query fails with where it has no room or nobody wants it any more. */
    void put(RowBatch batch) throws InterruptedException;

    /** The end is proved. Returns once the query's rows need its session no more. */
    void end() throws InterruptedException;

    /** The most that rows took here. */
    long peakBytes();
}
