package dev.weighlock.batch.repository;

import dev.weighlock.batch.StepName;

/** The step that a new instance begins with, whatever happens. */
public record FirstStep(StepName name, boolean partitioned) {}
