package dev.weighlock.jobs.file;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/** What a query may use and how long it may take; absent parts take the defaults. No part of a job's fingerprint. */
public record Budget(OptionalLong capBytes, Optional<String> pool, Optional<Duration> deadline) {
    public static final Budget DEFAULT = new Budget(OptionalLong.empty(), Optional.empty(), Optional.empty());
}
