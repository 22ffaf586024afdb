package dev.weighlock.query.device;

/** The part of an engine's memory that belongs to one attempt, compared by identity. */
public interface MemoryDomain {
    /**
     * What is allocated now.
     *
     * @throws RuntimeException when it cannot be sampled
     */
    DomainUsage usage();
}
