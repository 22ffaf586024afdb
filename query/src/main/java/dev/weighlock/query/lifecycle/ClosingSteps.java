package dev.weighlock.query.lifecycle;

/**
 * What a backend does in the slices that are not waits. Each method is called on the closing thread, again when it has
 * thrown and the close is retried, and never after it has returned. A method that cannot prove what it did throws.
 */
public interface ClosingSteps {
    /** Admits nobody any more. */
    void closeAdmission();

    /** Ends every queued request with {@code backend_closing}. */
    void refuseQueued();

    /** Asks every running attempt to stop; does not wait for them. */
    void cancelRunning();

    /** Lets go of the device resources; no device permit is open when it is called. */
    void releaseGeneration();
}
