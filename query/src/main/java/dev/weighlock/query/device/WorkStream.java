package dev.weighlock.query.device;

/** An ordered line of engine work that may still read or write memory after the call that queued it returned. */
public interface WorkStream {
    /** Tells streams apart by {@code equals}; stable for the stream's life. */
    Object identity();

    /** A fence behind everything queued so far. A throw means that nothing is known about that work. */
    CompletionFence recordCompletion();
}
