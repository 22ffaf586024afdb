package dev.weighlock.query.engine;

import dev.weighlock.query.report.FaultEvidence;

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

    /**
     * The device itself failed for good, not one session on it: nothing is admitted to it any more. An engine whose
     * instances stand apart from each other, as on the host, drops the instance instead.
     *
     * @param held what may still be held on it
     * @param fault how far it reaches, and the engine's own figures
     */
    record Faulted(String held, FaultEvidence fault) implements SessionRelease {}
}
