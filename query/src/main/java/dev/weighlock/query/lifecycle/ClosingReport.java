package dev.weighlock.query.lifecycle;

import java.util.List;
import java.util.Optional;

/**
 * How far a backend's close has come.
 *
 * @param done the slices that are proved, in order
 * @param late those of {@code done} that an earlier call had given up on
 * @param stuckAt the first slice that is not proved, when there is one
 * @param held what is still open; empty when the close is complete
 * @param failure what stopped the close, when something threw
 */
public record ClosingReport(
        List<ClosingSlice> done,
        List<ClosingSlice> late,
        Optional<ClosingSlice> stuckAt,
        List<OpenHandles.Handle> held,
        Optional<Throwable> failure) {
    public ClosingReport {
        done = List.copyOf(done);
        late = List.copyOf(late);
        held = List.copyOf(held);
    }

    public boolean isComplete() {
        return stuckAt.isEmpty();
    }
}
