package dev.weighlock.batch;

import java.time.Instant;
import java.util.Optional;

/**
 * The instants of one stop: asked for, seen by the owner, last commit after it was seen. The fourth, the terminal one,
 * is the execution's end.
 */
public record StopInstants(Optional<StopRequest> request, Optional<Instant> seenAt, Optional<Instant> lastCommitAt) {
    public static final StopInstants NONE = new StopInstants(Optional.empty(), Optional.empty(), Optional.empty());
}
