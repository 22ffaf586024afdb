/** From a job file to a job of the batch runtime, and back from what was stored. */
@NullMarked
package dev.weighlock.jobs.compile;

import org.jspecify.annotations.NullMarked;
