package dev.weighlock.batch.repository;

import dev.weighlock.batch.JobExecution;
import dev.weighlock.batch.JobName;

/** One job in the list of jobs: how many instances and executions, and the newest execution. */
public record JobSummary(JobName job, long instances, long executions, JobExecution last) {}
