package dev.weighlock.jobs.compile;

import dev.weighlock.jobs.database.Databases;
import dev.weighlock.jobs.query.Queries;

/** What a job needs of the process that runs it. */
public record JobResources(Queries queries, Databases databases) {}
