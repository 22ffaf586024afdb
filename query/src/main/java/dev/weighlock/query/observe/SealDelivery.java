package dev.weighlock.query.observe;

/**
 * The delivery of a sealed observation to its seal observers, which the sealer runs when it holds nothing any more.
 * Running it again does nothing.
 */
public final class SealDelivery {
    private final Observation observation;

    SealDelivery(Observation observation) {
        this.observation = observation;
    }

    /** Calls every seal observer on this thread; what they throw is logged and goes no further. */
    public void run() {
        observation.deliver();
    }
}
