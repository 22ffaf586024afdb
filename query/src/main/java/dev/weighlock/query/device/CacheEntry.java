package dev.weighlock.query.device;

import java.util.concurrent.locks.ReentrantLock;

/**
 * One charged cache entry. Only the first pin and the last unpin move bytes. Any thread; its lock guards pins and bytes
 * and is taken before the ledger's.
 */
public final class CacheEntry {
    private final CacheShare share;
    private final ReentrantLock lock = new ReentrantLock();
    private long bytes;
    private int pins;
    private boolean destroyed;

    CacheEntry(CacheShare share, long bytes) {
        this.share = share;
        this.bytes = bytes;
    }

    /** A use of the entry that keeps it from being evicted. Closing twice is harmless. */
    public final class Pin implements AutoCloseable {
        private boolean closed;

        private Pin() {}

        @Override
        public void close() {
            lock.lock();
            try {
                if (!closed) {
                    unpin();
                    closed = true;
                }
            } finally {
                lock.unlock();
            }
        }
    }

    public long bytes() {
        lock.lock();
        try {
            return bytes;
        } finally {
            lock.unlock();
        }
    }

    public Pin pin() {
        lock.lock();
        try {
            requireAlive();
            if (pins == 0) {
                share.pin(bytes);
            }
            pins++;
            return new Pin();
        } finally {
            lock.unlock();
        }
    }

    /** Gives back what was charged in advance beyond these bytes. */
    public void shrinkTo(long usedBytes) {
        lock.lock();
        try {
            requireAlive();
            if (pins > 0 || usedBytes < 0 || usedBytes > bytes) {
                throw new IllegalStateException(
                        "an entry of " + bytes + " bytes with " + pins + " pins cannot shrink to " + usedBytes);
            }
            share.releasePrecharge(bytes - usedBytes);
            bytes = usedBytes;
        } finally {
            lock.unlock();
        }
    }

    /** Returns the charge; call it only once the entry's memory is gone. A repeated call does nothing. */
    public void releaseDestroyed() {
        lock.lock();
        try {
            if (destroyed) {
                return;
            }
            if (pins > 0) {
                throw new IllegalStateException("a cache entry was destroyed while " + pins + " pins hold it");
            }
            share.releaseDestroyed(bytes);
            destroyed = true;
        } finally {
            lock.unlock();
        }
    }

    private void unpin() {
        if (pins == 1) {
            share.unpin(bytes);
        }
        pins--;
    }

    private void requireAlive() {
        if (destroyed) {
            throw new IllegalStateException("the cache entry was destroyed");
        }
    }
}
