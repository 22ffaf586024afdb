package dev.weighlock.batch.jdbc.postgres;

import dev.weighlock.batch.StopRequest;
import dev.weighlock.batch.jdbc.store.Session;
import dev.weighlock.batch.jdbc.store.StopStore;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.LongConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The words in which processes tell each other of stop requests, by NOTIFY on a channel of the repository's own: {@code
 * look NODE} where requests wait for a node, {@code test TOKEN} of a self-test. Whoever may connect may say them, so they
 * are hints: what counts is what the repository stores.
 *
 * <p>Thread-safe; listeners run on the control connection's thread.
 */
final class StopChannel {
    private static final Logger LOG = LoggerFactory.getLogger(StopChannel.class);
    private static final int LONGEST_NAME = 63;

    private final String name;
    private final List<LongConsumer> listeners = new CopyOnWriteArrayList<>();

    /** @param schema of the repository: notifications stay in their database anyway */
    StopChannel(String schema) {
        var full = "weighlock_" + schema;
        this.name = full.substring(0, Math.min(full.length(), LONGEST_NAME));
    }

    /** Begins to hear what is said. */
    void join(Session session) throws SQLException {
        session.sql("LISTEN " + name).update();
    }

    void say(Session session, String words) throws SQLException {
        session.sql("SELECT pg_notify(:channel, :words)")
                .bind("channel", name)
                .bind("words", words)
                .list(row -> words);
    }

    /** Tells the owner of a request, when the transaction commits. */
    void announceStop(Session session, long executionId) throws SQLException {
        session.sql("""
                        SELECT pg_notify(:channel, 'look ' || owner_node) FROM job_execution WHERE id = :id
                        """).bind("channel", name).bind("id", executionId).list(row -> executionId);
    }

    AutoCloseable listen(LongConsumer listener) {
        listeners.add(listener);
        return () -> listeners.remove(listener);
    }

    /** Tells the listeners of the node's requests that are stored. */
    void tellStored(Session session, String node) throws SQLException {
        if (!listeners.isEmpty()) {
            StopStore.pending(session, node).stream()
                    .map(StopRequest::executionId)
                    .forEach(this::tell);
        }
    }

    /** What was said, perhaps to {@code node}; words that it does not know mean nothing. */
    void heard(String words, String node, Session session) throws SQLException {
        if (words.equals("look " + node)) {
            tellStored(session, node);
        }
    }

    private void tell(long executionId) {
        for (var listener : listeners) {
            try {
                listener.accept(executionId);
            } catch (RuntimeException e) {
                LOG.error("a listener failed on the stop request for execution {}", executionId, e);
            }
        }
    }
}
