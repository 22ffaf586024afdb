package dev.weighlock.query.device;

import dev.weighlock.query.report.DomainUsage;

/** The part of an engine's memory that belongs to one attempt, compared by identity. */
public interface MemoryDomain {
    /**
     * What is allocated now.
     *
     * @throws RuntimeException when it cannot be sampled
     */
    DomainUsage usage();
}
