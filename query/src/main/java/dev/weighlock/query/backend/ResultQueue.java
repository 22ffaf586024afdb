package dev.weighlock.query.backend;

import dev.weighlock.query.ErrorCode;
import dev.weighlock.query.Facts;
import dev.weighlock.query.QueryException;
import dev.weighlock.query.Reason;
import dev.weighlock.query.engine.ResultColumn;
import dev.weighlock.query.engine.Row;
import dev.weighlock.query.engine.RowBatch;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Hands rows from the engine's thread to their reader and holds the engine back while too many are unread.
 *
 * <p>{@code lock} guards every field; under it the queue only moves rows. One writer, one reader, any canceller.
 */
final class ResultQueue implements QueryRows, RowSink {
    private final Runnable abandon;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Deque<RowBatch> batches = new ArrayDeque<>();
    private long limitBytes;
    private long unreadBytes;
    private long peakBytes;
    private @Nullable List<ResultColumn> columns;
    private int at;
    private boolean ended;
    private @Nullable QueryException failure;

    /** @param abandon cancels the query; called with no lock held */
    ResultQueue(Runnable abandon) {
        this.abandon = abandon;
    }

    @Override
    public void begin(List<ResultColumn> names, long allowanceBytes) {
        lock.lock();
        try {
            columns = names;
            limitBytes = allowanceBytes;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Waits for room. */
    @Override
    public void put(RowBatch batch) throws InterruptedException {
        lock.lock();
        try {
            while (failure == null && unreadBytes > 0 && unreadBytes + batch.bytes() > limitBytes) {
                changed.await();
            }
            throwFailure();
            batches.add(batch);
            unreadBytes += batch.bytes();
            peakBytes = Math.max(peakBytes, unreadBytes);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Waits until the reader has got every row. */
    @Override
    public void end() throws InterruptedException {
        lock.lock();
        try {
            ended = true;
            changed.signalAll();
            while (failure == null && !batches.isEmpty()) {
                changed.await();
            }
            throwFailure();
        } finally {
            lock.unlock();
        }
    }

    /** The query failed: reader and writer are told, unread rows are dropped. The first failure stands. */
    void fail(QueryException error) {
        lock.lock();
        try {
            if (failure == null && !isRead()) {
                failure = error;
                batches.clear();
                unreadBytes = 0;
                changed.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public long peakBytes() {
        lock.lock();
        try {
            return peakBytes;
        } finally {
            lock.unlock();
        }
    }

    long unreadBytes() {
        lock.lock();
        try {
            return unreadBytes;
        } finally {
            lock.unlock();
        }
    }

    private boolean isRead() {
        return ended && batches.isEmpty();
    }

    private void throwFailure() {
        if (failure != null) {
            throw failure;
        }
    }

    @Override
    public List<ResultColumn> columns() {
        return read(() -> Optional.ofNullable(columns)).orElseThrow();
    }

    @Override
    public Optional<Row> next() {
        return read(this::poll);
    }

    private Optional<Row> poll() {
        var batch = batches.peek();
        if (batch == null) {
            return Optional.empty();
        }
        var row = batch.rows().get(at++);
        if (at == batch.rows().size()) {
            batches.remove();
            at = 0;
            unreadBytes -= batch.bytes();
            changed.signalAll();
        }
        return Optional.of(row);
    }

    /** Something that can be read under the lock. */
    private interface Source<T> {
        Optional<T> get();
    }

    /** Waits until the source gives something or the end is reached. */
    private <T> Optional<T> read(Source<T> source) {
        lock.lock();
        try {
            while (true) {
                throwFailure();
                var found = source.get();
                if (found.isPresent() || ended) {
                    return found;
                }
                changed.await();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new QueryException(
                    ErrorCode.CANCELLED,
                    "rows",
                    "interrupted while waiting for rows",
                    Facts.of(Reason.CALLER_CANCELLED),
                    e);
        } finally {
            lock.unlock();
            if (Thread.currentThread().isInterrupted()) {
                abandon.run();
            }
        }
    }

    @Override
    public List<Row> toList() {
        var rows = new ArrayList<Row>();
        for (var row = next(); row.isPresent(); row = next()) {
            rows.add(row.get());
        }
        return rows;
    }

    @Override
    public void close() {
        boolean open;
        lock.lock();
        try {
            open = !isRead() && failure == null;
        } finally {
            lock.unlock();
        }
        if (open) {
            abandon.run();
        }
    }
}
