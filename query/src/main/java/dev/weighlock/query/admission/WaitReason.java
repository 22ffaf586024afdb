package dev.weighlock.query.admission;

import dev.weighlock.query.device.GrantRow;
import java.util.List;

/**
 * Why a request waits.
 *
 * @param text what would admit it, for people
 * @param holders the grants in its way on the best device, longest held first; leaked ones are marked
 */
public record WaitReason(Kind kind, String text, List<GrantRow> holders) {
    public WaitReason {
        holders = List.copyOf(holders);
    }

    /** The closed set of things a request can wait for. */
    public enum Kind {
        /** Its pool runs as many as it may. */
        POOL_LIMIT,
        /** Every attempt slot of the devices is taken. */
        SLOTS,
        /** Grants hold the bytes it needs. */
        BYTES,
        /** Residents hold bytes it needs, so that it would not fit on an idle device. */
        RESIDENTS,
        /** Room is kept for a request that was passed too often. */
        ROOM_KEPT,
        /** It fits, earlier requests are first. */
        TURN
    }
}
