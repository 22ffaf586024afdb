package dev.weighlock.query.device;

import dev.weighlock.host.ClaimFolder;

/**
 * What this process has claimed of the host's memory, until it is closed or the process dies. Its holder closes it, after
 * everything that uses the memory. Thread-safe.
 */
public final class HostShare implements AutoCloseable {
    private final ClaimFolder.Claim claim;
    private final long limitBytes;
    private final String source;

    HostShare(ClaimFolder.Claim claim, long limitBytes, String source) {
        this.claim = claim;
        this.limitBytes = limitBytes;
        this.source = source;
    }

    /** What the device of this process may use: the claim without the JVM's heap. */
    public long limitBytes() {
        return limitBytes;
    }

    /** How the limit came about, for people. */
    public String source() {
        return source;
    }

    /** What others see claimed, the JVM's heap included. */
    public long claimedBytes() {
        return claim.holder().bytes();
    }

    /** Gives the share back. Idempotent. */
    @Override
    public void close() {
        claim.close();
    }
}
