package dev.weighlock.query.engine;

/**
 * The highest use of a session.
 *
 * @param engineBytes highest use of the engine's own memory
 * @param resultBytes highest use by rows produced and not yet read
 * @param tempBytes highest use of disk for spilling
 */
public record SessionUsage(long engineBytes, long resultBytes, long tempBytes) {
    /** What the grant had to hold at most. */
    public long peakBytes() {
        return engineBytes + resultBytes;
    }
}
