package dev.weighlock.query.report;

import dev.weighlock.query.AttemptId;

/** Where an engine's composed schedule put the attempt. */
public record ComposedSchedule(AttemptId attemptId, int deviceOrdinal) {}
