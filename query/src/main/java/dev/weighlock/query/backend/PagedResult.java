package dev.weighlock.query.backend;

import dev.weighlock.query.AttemptId;
import dev.weighlock.query.Deadline;
import dev.weighlock.query.device.DeviceLedger;
import dev.weighlock.query.device.Grant;
import dev.weighlock.query.device.ResidentLease;
import dev.weighlock.query.engine.ResultColumn;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The whole result of a query that has ended, kept to be read page by page, forwards, backwards and again. The query's
 * grant is given back but for {@link #bytes}, which stay charged to the device until the result ends: by {@link #close},
 * by its time, by newer results that need its place, or with the backend. A page that is open then stays readable, and
 * the bytes charged, until it is closed.
 *
 * <p>Any thread. Whoever needs the result no more closes it; forgotten, it ends by its time.
 */
public final class PagedResult implements AutoCloseable {
    private final AttemptId attemptId;
    private final List<ResultColumn> columns;
    private final int rowsPerPage;
    private final int pages;
    private final long rows;
    private final long bytes;
    private final Deadline deadline;
    private final KeptResults keeper;
    private final PageMemory memory;
    /** Null where there is nothing to charge. */
    private final @Nullable ResidentLease lease;
    /** {@code this} guards what follows. */
    private @Nullable Ending ending;

    private long lastOpenedNanos;

    /** Why a result can be read no more. */
    public enum Ending {
        /** It was closed. */
        CLOSED,
        /** Its time was over. */
        EXPIRED,
        /** Newer results took its place: of those without an open page it was the longest unread. */
        CROWDED_OUT,
        /** Its backend was closed. */
        BACKEND_CLOSED
    }

    private PagedResult(
            AttemptId attemptId,
            PageBuilder built,
            PageMemory memory,
            @Nullable ResidentLease lease,
            KeptResults keeper) {
        var all = built.pages();
        this.attemptId = attemptId;
        this.columns = built.columns();
        this.rowsPerPage = built.rowsPerPage();
        this.pages = all.size();
        this.rows = (pages - 1L) * rowsPerPage + all.getLast().size();
        this.bytes = lease == null ? 0 : lease.bytes();
        this.memory = memory;
        this.lease = lease;
        this.keeper = keeper;
        this.deadline = keeper.deadline();
        this.lastOpenedNanos = deadline.clock().nanos();
    }

    /**
     * Charges the pages to the grant as a resident and prepares its freeze, checked to succeed. The caller publishes it,
     * or closes the result.
     */
    static PagedResult prepare(AttemptId attemptId, PageBuilder built, Grant grant, KeptResults keeper) {
        var bytes = built.peakBytes();
        var memory = new PageMemory(built.pages(), bytes);
        var lease = grant.retainResident(bytes).orElse(null);
        if (lease != null) {
            try {
                lease.recordCompletion(memory);
                grant.prepareFreeze(bytes, memory);
                grant.validateFreeze();
            } catch (Throwable e) {
                memory.giveUp();
                lease.close();
                throw e;
            }
        }
        return new PagedResult(attemptId, built, memory, lease, keeper);
    }

    /** The query that produced it. */
    public AttemptId attemptId() {
        return attemptId;
    }

    public List<ResultColumn> columns() {
        return columns;
    }

    public long rows() {
        return rows;
    }

    /** How many pages there are, one at least: an empty result has one empty page. */
    public int pages() {
        return pages;
    }

    /** How many rows each page has, but the last. */
    public int rowsPerPage() {
        return rowsPerPage;
    }

    /** What is charged to the device; 0 for an empty result, which needs no charge. */
    public long bytes() {
        return bytes;
    }

    /** Until its time is over; zero once it is. Reading does not prolong it. */
    public Duration timeLeft() {
        return Duration.ofNanos(deadline.remainingNanos());
    }

    /** Why it can be read no more; empty while it can. */
    public synchronized Optional<Ending> ending() {
        return Optional.ofNullable(ending);
    }

    /**
     * Opens a page. The caller closes it; until then its rows stay and the result's bytes stay charged.
     *
     * @param number from 0
     * @return empty once the result has ended
     * @throws IndexOutOfBoundsException where there is no such page
     */
    public Optional<ResultPage> page(int number) {
        Objects.checkIndex(number, pages);
        synchronized (this) {
            if (ending != null) {
                return Optional.empty();
            }
            lastOpenedNanos = deadline.clock().nanos();
            return memory.beginReading(number)
                    .map(read -> new ResultPage(number, read, memory, lease == null ? null : lease.forReader(memory)));
        }
    }

    boolean isFrozen() {
        return lease != null;
    }

    boolean isExpired() {
        return deadline.isExpired();
    }

    boolean isRead() {
        return memory.isRead();
    }

    synchronized long lastOpenedNanos() {
        return lastOpenedNanos;
    }

    /** Ends it for this reason, unless it has ended. */
    void end(Ending why) {
        DeviceLedger.refuseInsideObserver("end_result");
        synchronized (this) {
            if (ending != null) {
                return;
            }
            ending = why;
        }
        memory.giveUp();
        keeper.forget(this);
        if (lease != null) {
            lease.close();
        }
    }

    /** Ends the result. Idempotent. */
    @Override
    public void close() {
        end(Ending.CLOSED);
    }
}
