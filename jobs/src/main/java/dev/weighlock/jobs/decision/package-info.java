/** Decisions of a job file: one text that SQL gives chooses the way on. */
@NullMarked
package dev.weighlock.jobs.decision;

import org.jspecify.annotations.NullMarked;
