package dev.weighlock.query.backend;

import dev.weighlock.query.device.CompletionFence;
import dev.weighlock.query.device.MemoryDomain;
import dev.weighlock.query.device.WorkStream;
import dev.weighlock.query.engine.Row;
import dev.weighlock.query.report.DomainUsage;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The rows of one kept result, as the ledger wants to know them: a domain that is empty once the rows are gone, and a
 * stream whose fence is "nobody reads". They go when they are given up and the last reader has left.
 *
 * <p>Thread-safe; {@code this} guards all fields.
 */
final class PageMemory implements MemoryDomain, WorkStream {
    private static final AtomicLong LAST_ID = new AtomicLong();

    private final long id = LAST_ID.incrementAndGet();
    private final long bytes;
    private @Nullable List<List<Row>> pages;
    private int readers;
    private boolean givenUp;

    PageMemory(List<List<Row>> pages, long bytes) {
        this.pages = pages;
        this.bytes = bytes;
    }

    /** Begins to read a page; empty once the rows were given up. Whoever got it calls {@link #endReading}. */
    synchronized Optional<List<Row>> beginReading(int number) {
        var held = pages;
        if (givenUp || held == null) {
            return Optional.empty();
        }
        readers++;
        return Optional.of(held.get(number));
    }

    synchronized void endReading() {
        readers--;
        dropUnread();
    }

    /** Lets nobody begin to read any more. Idempotent. */
    synchronized void giveUp() {
        givenUp = true;
        dropUnread();
    }

    private void dropUnread() {
        if (readers == 0) {
            notifyAll();
            if (givenUp) {
                pages = null;
            }
        }
    }

    synchronized boolean isRead() {
        return readers > 0;
    }

    @Override
    public Object identity() {
        return this;
    }

    @Override
    public CompletionFence recordCompletion() {
        return this::awaitUnread;
    }

    private synchronized void awaitUnread(String operation, Duration limit) {
        var end = System.nanoTime() + limit.toNanos();
        try {
            for (var left = limit.toMillis(); readers > 0; left = (end - System.nanoTime()) / 1_000_000) {
                if (left <= 0) {
                    throw new IllegalStateException(operation + ": " + readers + " readers are still in the pages");
                }
                wait(left);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(operation + ": interrupted while waiting for readers", e);
        }
    }

    @Override
    public synchronized DomainUsage usage() {
        var held = pages == null ? 0 : bytes;
        var one = pages == null ? 0 : 1;
        return new DomainUsage(id, pages != null, one, bytes, bytes, held, bytes, bytes, held, bytes, 1, one, 1, 0, 0);
    }
}
