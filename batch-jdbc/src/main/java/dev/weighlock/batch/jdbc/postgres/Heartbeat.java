package dev.weighlock.batch.jdbc.postgres;

import dev.weighlock.batch.repository.NodeInfo;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Renews the node's row, and tells the node itself when it could not for too long. The row says how far the clock of this
 * process is from the database's; nothing depends on it.
 *
 * <p>{@link #beat} and {@link #isDue} are for one thread, the control connection's; the rest is thread-safe. The monitor
 * guards whether a lapse was told, and is held while it is told: so it is told once, and before the lease is renewed.
 */
final class Heartbeat {
    private static final Logger LOG = LoggerFactory.getLogger(Heartbeat.class);

    private final NodeInfo node;
    private final NodePlace place;
    private final PostgresSettings settings;
    private final Clock clock;
    private final Lease lease;
    private final Consumer<String> lapsed;
    private long sentNanos;
    private boolean registered;
    private boolean lapseTold;

    Heartbeat(NodeInfo node, NodePlace place, PostgresSettings settings, Clock clock, Consumer<String> lapsed) {
        this.node = node;
        this.place = place;
        this.settings = settings;
        this.clock = clock;
        this.lapsed = lapsed;
        this.lease = new Lease(settings.lease(), System::nanoTime);
    }

    NodeInfo node() {
        return node;
    }

    Optional<String> lapse() {
        return lease.lapse();
    }

    boolean isDue() {
        return !registered
                || System.nanoTime() - sentNanos >= settings.heartbeat().toNanos();
    }

    /**
     * Tells of a lapse, once, when there is one.
     *
     * @return after how long to look again
     */
    synchronized Duration tellLapse() {
        lease.lapse().ifPresent(this::tellOnce);
        return lease.untilLapse();
    }

    private void tellOnce(String why) {
        assert Thread.holdsLock(this);
        if (lapseTold) {
            return;
        }
        lapseTold = true;
        LOG.warn("{}: it gives up what it runs", why);
        try {
            lapsed.accept(why);
        } catch (RuntimeException | Error e) {
            LOG.error("a listener failed on the lapse of node {}", node.id(), e);
        }
    }

    /**
     * Renews the row, or makes it anew when it was cleaned away. When the database saw no renewal for too long, because
     * the whole machine stood still, that is a lapse too.
     *
     * @return whether the row is a new one, of which nothing is recorded yet
     */
    boolean beat(Connection connection) throws SQLException {
        var _ = tellLapse();
        long sent = System.nanoTime();
        var since = renew(connection);
        renewed(sent, registered ? lapse(since) : Optional.empty());
        sentNanos = sent;
        registered = true;
        return since.isEmpty();
    }

    private synchronized void renewed(long sent, Optional<String> lapse) {
        lapse.ifPresent(this::tellOnce);
        lease.renewed(sent);
        lapseTold = false;
    }

    private Optional<String> lapse(Optional<Duration> since) {
        return since.isPresent()
                ? lease.lapse(since.get())
                : Optional.of("the row of this node was cleaned away, as one of a node that was lost");
    }

    /** @return the time since the renewal before, by the database; empty for a new row */
    private Optional<Duration> renew(Connection connection) throws SQLException {
        try (var statement = connection.prepareStatement("""
                WITH earlier AS (SELECT heartbeat_at FROM node WHERE id = ?)
                INSERT INTO node (id, host, pid, place, lock_file, lease, clock_skew)
                VALUES (?, ?, ?, ?, ?, ? * interval '1 millisecond', to_timestamp(?) - clock_timestamp())
                ON CONFLICT (id) DO UPDATE SET heartbeat_at = clock_timestamp(), clock_skew = excluded.clock_skew,
                    ended_at = NULL
                RETURNING extract(epoch FROM heartbeat_at - (SELECT heartbeat_at FROM earlier))::double precision
                """)) {
            statement.setString(1, node.id());
            statement.setString(2, node.id());
            statement.setString(3, node.host());
            statement.setLong(4, node.pid());
            statement.setString(5, place.name());
            statement.setString(6, place.lockFile(node.id()).toString());
            statement.setLong(7, settings.lease().toMillis());
            statement.setDouble(8, ChronoUnit.MICROS.between(Instant.EPOCH, clock.instant()) / 1e6);
            try (var row = statement.executeQuery()) {
                row.next();
                double seconds = row.getDouble(1);
                return row.wasNull() ? Optional.empty() : Optional.of(Duration.ofMillis((long) (seconds * 1000)));
            }
        }
    }
}
