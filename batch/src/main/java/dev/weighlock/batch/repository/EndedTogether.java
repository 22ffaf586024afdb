package dev.weighlock.batch.repository;

import dev.weighlock.batch.JobExecution;
import dev.weighlock.batch.StepExecution;

/** An execution and its last step, ended by one write. */
public record EndedTogether(StepExecution step, JobExecution execution) {}
