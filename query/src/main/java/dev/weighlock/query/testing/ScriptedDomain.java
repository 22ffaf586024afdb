package dev.weighlock.query.testing;

import dev.weighlock.query.device.MemoryDomain;
import dev.weighlock.query.report.DomainUsage;

/** A memory domain that says what a test wants; empty at first. */
public final class ScriptedDomain implements MemoryDomain {
    private volatile long currentBytes;
    private volatile boolean fails;

    public ScriptedDomain() {}

    public void currentBytes(long bytes) {
        currentBytes = bytes;
    }

    public void failSampling() {
        fails = true;
    }

    @Override
    public DomainUsage usage() {
        if (fails) {
            throw new IllegalStateException("the domain does not answer");
        }
        long bytes = currentBytes;
        long allocations = bytes == 0 ? 0 : 1;
        return new DomainUsage(
                1,
                true,
                allocations,
                0,
                0,
                bytes,
                bytes,
                bytes,
                bytes,
                bytes,
                allocations,
                allocations,
                allocations,
                0,
                0);
    }
}
