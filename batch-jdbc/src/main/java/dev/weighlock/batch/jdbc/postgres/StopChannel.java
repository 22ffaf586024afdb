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
 * stop NODE EXECUTION}, {@code look NODE} for all of a node's, {@code test TOKEN} of a self-test.
 *
 * <p>Thread-safe; listeners run on the control connection's thread.
 */
final class StopChannel {
    private static final Logger LOG = LoggerFactory.getLogger(StopChannel.class);
    private static final String NAME = "(SELECT 'weighlock_' || replace(CAST(id AS text), '-', '') FROM repository)";

    private final List<LongConsumer> listeners = new CopyOnWriteArrayList<>();

    /** Begins to hear what is said. */
    static void join(Session session) throws SQLException {
        var name = session.sql("SELECT " + NAME + " AS name").one(row -> row.text("name"));
        session.sql("LISTEN " + name).update();
    }

    static void say(Session session, String words) throws SQLException {
        session.sql("SELECT pg_notify(" + NAME + ", :words)")
                .bind("words", words)
                .list(row -> words);
    }

    /** Tells the owner of a request, when the transaction commits. */
    static void announceStop(Session session, long executionId) throws SQLException {
        session.sql("SELECT pg_notify(" + NAME
                        + ", 'stop ' || owner_node || ' ' || id) FROM job_execution WHERE id = :id")
                .bind("id", executionId)
                .list(row -> executionId);
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
        var parts = words.split(" ", 3);
        if (parts.length == 3 && parts[0].equals("stop") && parts[1].equals(node)) {
            tell(Long.parseLong(parts[2]));
        } else if (words.equals("look " + node)) {
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
