package dev.weighlock.query.backend;

import dev.weighlock.query.device.ResidentLease;
import dev.weighlock.query.engine.Row;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * One open page of a {@link PagedResult}; its rows stay whatever becomes of the result. Any thread. Whoever opened it
 * closes it, once or more: until then the whole result stays charged.
 */
public final class ResultPage implements AutoCloseable {
    private final int number;
    private final List<Row> rows;
    private final PageMemory memory;
    private final @Nullable ResidentLease lease;
    private final AtomicBoolean closed = new AtomicBoolean();

    ResultPage(int number, List<Row> rows, PageMemory memory, @Nullable ResidentLease lease) {
        this.number = number;
        this.rows = rows;
        this.memory = memory;
        this.lease = lease;
    }

    /** From 0. */
    public int number() {
        return number;
    }

    /** In the result's order; unmodifiable. To be used while the page is open. */
    public List<Row> rows() {
        return rows;
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            memory.endReading();
            if (lease != null) {
                lease.close();
            }
        }
    }
}
