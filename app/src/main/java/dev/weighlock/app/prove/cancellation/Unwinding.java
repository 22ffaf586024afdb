package dev.weighlock.app.prove.cancellation;

import java.util.ArrayDeque;
import java.util.Deque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Closes what was opened when the rest cannot be; for one thread. */
final class Unwinding implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Unwinding.class);

    private final Deque<AutoCloseable> opened = new ArrayDeque<>();

    <T extends AutoCloseable> T add(T resource) {
        opened.push(resource);
        return resource;
    }

    /** All is open: from now on somebody else closes it. */
    void keep() {
        opened.clear();
    }

    @Override
    public void close() {
        for (AutoCloseable resource : opened) {
            try {
                resource.close();
            } catch (Exception e) {
                // What made the opening fail is what the caller needs to hear.
                LOG.warn("{} did not close", resource, e);
            }
        }
    }
}
