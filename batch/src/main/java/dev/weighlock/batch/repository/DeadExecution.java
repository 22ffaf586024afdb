package dev.weighlock.batch.repository;

import dev.weighlock.batch.JobExecution;

/** An active execution whose owner is provably dead. */
public record DeadExecution(JobExecution execution, NodeInfo owner) {}
