package dev.weighlock.batch.shutdown;

import java.util.List;
import java.util.OptionalLong;

/**
 * What a whole shutdown came to.
 *
 * @param hooks what became of each hook, in their order, persist first
 * @param droppedTelemetry how many items were dropped; empty when the flush did not end well, so that nobody knows
 */
public record ShutdownResult(Drained drained, List<ShutdownHooks.Outcome> hooks, OptionalLong droppedTelemetry) {
    public ShutdownResult {
        hooks = List.copyOf(hooks);
    }
}
