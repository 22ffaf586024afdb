package dev.weighlock.query.device;

import dev.weighlock.query.AdmissionRequestId;
import dev.weighlock.query.AttemptId;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * One grant as a report shows it.
 *
 * @param frozenResident the published frozen bytes, null before
 * @param leaked no handle of the grant can be reached any more, yet nobody closed it
 */
public record GrantRow(
        long grantId,
        AttemptId attempt,
        AdmissionRequestId admissionRequestId,
        long grantBytes,
        long residentOwnerBytes,
        @Nullable Long frozenResident,
        long heldSinceNanos,
        String holder,
        GrantState state,
        @Nullable Cleaning cleaningNote,
        boolean leaked) {

    /** Why a grant is still being cleaned up, and since when. */
    public record Cleaning(String reason, long sinceNanos) {}

    public OptionalLong frozenResidentBytes() {
        return frozenResident == null ? OptionalLong.empty() : OptionalLong.of(frozenResident);
    }

    public Optional<Cleaning> cleaning() {
        return Optional.ofNullable(cleaningNote);
    }
}
