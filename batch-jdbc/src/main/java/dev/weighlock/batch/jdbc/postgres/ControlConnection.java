package dev.weighlock.batch.jdbc.postgres;

import dev.weighlock.batch.jdbc.store.Session;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one connection of a node that stands outside the pool, so that a busy pool delays neither its heartbeats nor what it
 * is told. When it breaks it is made again, after pauses that grow to a bound.
 *
 * <p>One platform daemon thread, on which listeners of stops run, holding no lock; {@link #start} makes the first
 * connection on the caller's, and from then on the connection is the thread's alone, to its end. A second one watches
 * the lease, so that a call into the driver that hangs delays no lapse. Whoever started it closes it, after the pool.
 */
final class ControlConnection implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ControlConnection.class);
    /** A notification ends the wait at once; a close waits so long. */
    private static final int SLICE_MILLIS = 50;

    private static final long FIRST_PAUSE_MILLIS = 50;
    private static final long LONGEST_PAUSE_MILLIS = 2_000;
    /** Two calls into the driver, each bounded by its socket timeout. */
    private static final Duration LONGEST_JOIN = Duration.ofSeconds(20);

    private static final PushState ENDED = new PushState.Off("the control connection has ended");
    private static final int BEATS_A_CLEANING = 10;

    private final PostgresDatabase database;
    private final Heartbeat heartbeat;
    private final StopChannel channel;
    private final CountDownLatch closing = new CountDownLatch(1);
    private volatile PushProbe push = new PushProbe();
    /** The starting thread's, then the control thread's. */
    private @Nullable Connection connection;

    private @Nullable Thread thread;
    private int beats;

    ControlConnection(PostgresDatabase database, Heartbeat heartbeat, StopChannel channel) {
        this.database = database;
        this.heartbeat = heartbeat;
        this.channel = channel;
    }

    /**
     * Makes the node's row and begins to renew it. What breaks meanwhile is tried again, within the time that any connection
     * to the repository may take.
     */
    void start() throws SQLException {
        register();
        try {
            thread = Thread.ofPlatform().daemon().name("weighlock-control").start(this::runToTheEnd);
            Thread.ofPlatform().daemon().name("weighlock-lease").start(this::watchLease);
        } catch (Error e) {
            closing.countDown();
            if (thread == null) {
                end();
            }
            throw e;
        }
    }

    /** Empty while the test of this connection may still be answered. */
    Optional<PushState> push() {
        var running = thread;
        return running == null || running.isAlive() ? push.state() : Optional.of(ENDED);
    }

    /** The control thread looks itself too: this one tells in time when that waits for the server. */
    private void watchLease() {
        while (!awaitClosing(Math.max(1, heartbeat.tellLapse().toMillis()))) {
            // Nothing to do but look.
        }
    }

    private void runToTheEnd() {
        try {
            runUntilClosed();
        } finally {
            end();
        }
    }

    private String node() {
        return heartbeat.node().id();
    }

    private void register() throws SQLException {
        long begun = System.nanoTime();
        while (connection == null) {
            try {
                connect(database.connectForRegistration());
            } catch (SQLException e) {
                if (!PostgresErrors.isTransient(e) || isOver(begun)) {
                    throw e;
                }
                LOG.debug("node {} could not be registered yet: {}", node(), e.toString());
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(FIRST_PAUSE_MILLIS));
            }
        }
    }

    private boolean isOver(long begun) {
        return Thread.currentThread().isInterrupted()
                || System.nanoTime() - begun
                        > database.settings().connectTimeout().toNanos();
    }

    private void connect(Connection made) throws SQLException {
        try {
            heartbeat.beat(made);
            database.backends().belongTo(node(), made);
            channel.join(database.session(made));
            database.boundByLease(made);
        } catch (SQLException | RuntimeException e) {
            made.close();
            throw e;
        }
        connection = made;
        push = new PushProbe();
    }

    private void runUntilClosed() {
        long pause = FIRST_PAUSE_MILLIS;
        boolean fresh = true;
        while (closing.getCount() > 0) {
            try {
                var _ = heartbeat.tellLapse();
                if (connection == null) {
                    connect(database.connectForControl());
                    fresh = true;
                }
                if (fresh) {
                    push.begin(database, channel, Objects.requireNonNull(connection));
                    channel.tellStored(session(), node());
                    fresh = false;
                }
                turn();
                pause = FIRST_PAUSE_MILLIS;
            } catch (SQLException | RuntimeException | Error e) {
                // An error of a moment, such as no thread to be had, must not end the heartbeats.
                drop(e, pause);
                awaitClosing(pause);
                pause = Math.min(2 * pause, LONGEST_PAUSE_MILLIS);
            }
        }
    }

    private Session session() {
        return database.session(Objects.requireNonNull(connection));
    }

    private void turn() throws SQLException {
        var open = Objects.requireNonNull(connection);
        if (heartbeat.isDue()) {
            if (heartbeat.beat(open)) {
                database.backends().belongTo(node(), open);
            }
            if (++beats % BEATS_A_CLEANING == 0) {
                NodeBackends.prune(open, node());
                EndedNodes.clean(open);
            }
        }
        for (var notification : open.unwrap(PGConnection.class).getNotifications(SLICE_MILLIS)) {
            push.heard(notification.getParameter());
            channel.heard(notification.getParameter(), node(), session());
        }
        push.heardAll();
    }

    /** The first of a row of failures is told to people, the others to those who look closely. */
    private void drop(Throwable failure, long pause) {
        if (pause == FIRST_PAUSE_MILLIS) {
            LOG.warn("the control connection to {} broke; trying again: {}", database.name(), failure.toString());
        } else {
            LOG.debug("no control connection to {} yet: {}", database.name(), failure.toString());
        }
        close(connection);
        connection = null;
        push = PushProbe.answered("the control connection is broken");
    }

    /** Whether it is closed. */
    private boolean awaitClosing(long millis) {
        try {
            return closing.await(millis, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            // Nobody interrupts these threads to end them: they look once more and go on.
            return false;
        }
    }

    private static void close(@Nullable Connection connection) {
        if (connection != null) {
            try {
                connection.close();
            } catch (SQLException e) {
                LOG.debug("a broken control connection did not close", e);
            }
        }
    }

    /** After the last heartbeat, on the thread that sent it: none comes later and brings the node back. */
    private void end() {
        try {
            if (connection == null) {
                connection = database.connectForControl();
            }
            EndedNodes.end(connection, node());
        } catch (SQLException | RuntimeException e) {
            LOG.warn("node {} could not say that it ended: {}", node(), e.toString());
        } finally {
            close(connection);
        }
    }

    /**
     * Ends the heartbeats, and says so in the node's row where the database can be reached. A thread that hangs in a call
     * into the driver is left behind after a while: it does the same when the call returns.
     */
    @Override
    public void close() {
        closing.countDown();
        var running = thread;
        if (running == null) {
            return;
        }
        try {
            if (!running.join(LONGEST_JOIN)) {
                LOG.warn("node {} ends later: its control connection to {} hangs", node(), database.name());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
