package dev.weighlock.query.admission;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What has to happen once the mutex is free. An effect may lead to a new decision with effects of its own; those queue
 * behind the running ones of the same thread, so that a chain of hand-offs never deepens the stack.
 */
final class Effects {
    private static final Logger LOG = LoggerFactory.getLogger(Effects.class);
    private static final ThreadLocal<Queue<Runnable>> RUNNING = new ThreadLocal<>();

    private final List<Runnable> effects = new ArrayList<>();

    void add(Runnable effect) {
        effects.add(effect);
    }

    /** Runs them in order; never under a lock. */
    void run() {
        if (effects.isEmpty()) {
            return;
        }
        Queue<Runnable> outer = RUNNING.get();
        if (outer != null) {
            outer.addAll(effects);
            return;
        }
        Queue<Runnable> queue = new ArrayDeque<>(effects);
        RUNNING.set(queue);
        try {
            for (Runnable effect = queue.poll(); effect != null; effect = queue.poll()) {
                runIsolated(effect);
            }
        } finally {
            RUNNING.remove();
        }
    }

    private static void runIsolated(Runnable effect) {
        try {
            effect.run();
        } catch (Throwable fault) {
            LOG.warn("A callback of the admission service failed; the decision stands", fault);
        }
    }
}
