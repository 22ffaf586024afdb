package dev.weighlock.batch.jdbc.postgres;

import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * How fresh this node's proof of life is, by the monotonic clock of the process: nobody's wall clock decides. After two
 * thirds of the lease the node is unfit, so that it has stopped before others may take it for dead.
 *
 * <p>Thread-safe: one writer, the heartbeat.
 */
final class Lease {
    private final Duration length;
    private final LongSupplier nanoClock;
    private volatile long renewedNanos;

    /** Begins with a renewal now. */
    Lease(Duration length, LongSupplier nanoClock) {
        this.length = length;
        this.nanoClock = nanoClock;
        this.renewedNanos = nanoClock.getAsLong();
    }

    /** @param sentNanos when the renewal was sent: the database counts from later on */
    void renewed(long sentNanos) {
        renewedNanos = sentNanos;
    }

    /** Why the node may own nothing; empty while it may. */
    Optional<String> lapse() {
        return lapse(Duration.ofNanos(nanoClock.getAsLong() - renewedNanos));
    }

    /** How long the node may still own something without a renewal; after a lapse, when to look for one. */
    Duration untilLapse() {
        var left = fit().minusNanos(nanoClock.getAsLong() - renewedNanos);
        return left.isPositive() ? left : fit();
    }

    private Duration fit() {
        return length.multipliedBy(2).dividedBy(3);
    }

    /** The same after so long without a renewal, as the database counts. */
    Optional<String> lapse(Duration since) {
        return since.compareTo(fit()) < 0
                ? Optional.empty()
                : Optional.of("this node did not renew its lease of " + text(length) + " for " + text(since));
    }

    private static String text(Duration duration) {
        long millis = duration.toMillis();
        return millis % 1000 == 0 ? millis / 1000 + " s" : millis + " ms";
    }
}
