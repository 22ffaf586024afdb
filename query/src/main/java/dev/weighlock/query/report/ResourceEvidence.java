package dev.weighlock.query.report;

import org.jspecify.annotations.Nullable;

/**
 * The proof that an attempt failed for want of capacity.
 *
 * @param grantBytes what it was given
 * @param largestGrantBytes the largest grant its devices could ever give, when known
 */
public record ResourceEvidence(long grantBytes, @Nullable Long largestGrantBytes) {
    /** Whether a larger grant than this attempt's could be given. */
    public boolean largerGrantFits() {
        return largestGrantBytes != null && largestGrantBytes > grantBytes;
    }
}
