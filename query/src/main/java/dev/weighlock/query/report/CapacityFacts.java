package dev.weighlock.query.report;

import org.jspecify.annotations.Nullable;

/**
 * The account of an attempt's grant. Everything but the disposition is absent when the attempt was not admitted, or
 * when it was not measured: an absent figure is never a zero.
 *
 * @param peakBytes the most the attempt used at once, as its engine and its result allocator measured it
 * @param overshootBytes what an outside sample saw beyond {@code peakBytes}
 */
public record CapacityFacts(
        CapacityDisposition disposition,
        @Nullable DomainUsage finalDomainUsage,
        @Nullable HealthTransition healthTransition,
        @Nullable FaultEvidence faultEvidence,
        @Nullable ResourceEvidence resourceEvidence,
        @Nullable Long peakBytes,
        @Nullable Long overshootBytes) {
    /** The account of an attempt that had no grant. */
    public static final CapacityFacts NOT_ADMITTED =
            new CapacityFacts(CapacityDisposition.NOT_ADMITTED, null, null, null, null, null, null);
}
