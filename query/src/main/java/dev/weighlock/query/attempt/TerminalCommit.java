package dev.weighlock.query.attempt;

import dev.weighlock.query.report.CapacityDisposition;
import dev.weighlock.query.report.CapacityFacts;
import dev.weighlock.query.report.DomainUsage;
import dev.weighlock.query.report.FaultEvidence;
import dev.weighlock.query.report.HealthTransition;
import dev.weighlock.query.report.ResourceEvidence;

/**
 * What the release of an admitted attempt found out, committed once, after cleanup.
 *
 * @param alternateEligible whether another healthy device could take the same request
 */
public record TerminalCommit(CapacityFacts capacity, boolean alternateEligible) {
    /** A commit without measurements. */
    public static TerminalCommit of(CapacityDisposition disposition, HealthTransition health) {
        return new TerminalCommit(new CapacityFacts(disposition, null, health, null, null, null, null), false);
    }

    public TerminalCommit withDomainUsage(DomainUsage usage) {
        return with(new CapacityFacts(
                capacity.disposition(),
                usage,
                capacity.healthTransition(),
                capacity.faultEvidence(),
                capacity.resourceEvidence(),
                capacity.peakBytes(),
                capacity.overshootBytes()));
    }

    public TerminalCommit withFaultEvidence(FaultEvidence evidence) {
        return with(new CapacityFacts(
                capacity.disposition(),
                capacity.finalDomainUsage(),
                capacity.healthTransition(),
                evidence,
                capacity.resourceEvidence(),
                capacity.peakBytes(),
                capacity.overshootBytes()));
    }

    public TerminalCommit withResourceEvidence(ResourceEvidence evidence) {
        return with(new CapacityFacts(
                capacity.disposition(),
                capacity.finalDomainUsage(),
                capacity.healthTransition(),
                capacity.faultEvidence(),
                evidence,
                capacity.peakBytes(),
                capacity.overshootBytes()));
    }

    /** What the engine and the result allocator measured. */
    public TerminalCommit withPeakBytes(long peakBytes) {
        return with(new CapacityFacts(
                capacity.disposition(),
                capacity.finalDomainUsage(),
                capacity.healthTransition(),
                capacity.faultEvidence(),
                capacity.resourceEvidence(),
                peakBytes,
                capacity.overshootBytes()));
    }

    /** What an outside sample saw beyond the peak. */
    public TerminalCommit withOvershootBytes(long overshootBytes) {
        return with(new CapacityFacts(
                capacity.disposition(),
                capacity.finalDomainUsage(),
                capacity.healthTransition(),
                capacity.faultEvidence(),
                capacity.resourceEvidence(),
                capacity.peakBytes(),
                overshootBytes));
    }

    public TerminalCommit withAlternateEligible() {
        return new TerminalCommit(capacity, true);
    }

    private TerminalCommit with(CapacityFacts changed) {
        return new TerminalCommit(changed, alternateEligible);
    }
}
