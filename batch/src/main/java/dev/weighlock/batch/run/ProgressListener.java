package dev.weighlock.batch.run;

/**
 * Hears what the runs of a node do. Called on the threads that work, several at once: it must be quick and thread-safe.
 * What it throws is logged and changes nothing.
 */
@FunctionalInterface
public interface ProgressListener {
    void on(ProgressEvent event);
}
