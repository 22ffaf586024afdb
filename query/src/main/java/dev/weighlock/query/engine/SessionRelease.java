package dev.weighlock.query.engine;

/** How a session ended. Only {@link Proved} lets a grant return its bytes. */
public sealed interface SessionRelease {
    /**
     * Memory, threads and spill files are gone.
     *
     * @param evidence what was checked, for a log
     */
    record Proved(String evidence) implements SessionRelease {}

    /**
     * Something may still be held.
     *
     * @param held what, and why it could not be proved gone
     */
    record NotProved(String held) implements SessionRelease {}
}
