package dev.weighlock.jobs.file;

import java.util.Optional;
import java.util.OptionalLong;

/** A query step: one statement, whose rows go to a file or, without one, to the record. */
public record QueryKeys(
        SqlSource sql, Optional<OutputKeys> output, Budget budget, Optional<String> engine, OptionalLong maxRows)
        implements StepWork {}
