package dev.weighlock.duckdb;

import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Empty instances that wait for the next attempt of their class, charged to the device's reserve. The longest unused one
 * makes room for another.
 *
 * <p>Thread-safe; {@code this} guards all fields, and no instance is opened or destroyed under it. The engine closes it.
 */
final class WarmInstances implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(WarmInstances.class);

    private final int limit;
    private final Deque<Instance> kept = new ArrayDeque<>();
    private boolean closed;

    /** @param limit how many are kept at most; 0 keeps none */
    WarmInstances(int limit) {
        this.limit = limit;
    }

    /** The one of this class that was used last. */
    synchronized Optional<Instance> tryTake(Instance.Spec spec) {
        for (var instances = kept.descendingIterator(); instances.hasNext(); ) {
            var instance = instances.next();
            if (instance.spec().equals(spec)) {
                instances.remove();
                return Optional.of(instance);
            }
        }
        return Optional.empty();
    }

    /** Keeps an instance that is proved to be empty; destroys it, or an older one, where there is no room. */
    void keep(Instance instance) throws SQLException, IOException {
        var surplus = add(instance);
        if (surplus != null) {
            surplus.destroy();
        }
    }

    private synchronized @Nullable Instance add(Instance instance) {
        if (!isKeeping()) {
            return instance;
        }
        kept.addLast(instance);
        return kept.size() > limit ? kept.removeFirst() : null;
    }

    /** Whether an instance has a place here at all. */
    synchronized boolean isKeeping() {
        return !closed && limit > 0;
    }

    synchronized int count() {
        return kept.size();
    }

    @Override
    public void close() {
        for (var instance : takeAll()) {
            try {
                instance.destroy();
            } catch (SQLException | IOException e) {
                LOG.warn("{} was kept warm and cannot be destroyed", instance, e);
            }
        }
    }

    private synchronized List<Instance> takeAll() {
        closed = true;
        var all = new ArrayList<>(kept);
        kept.clear();
        return all;
    }
}
