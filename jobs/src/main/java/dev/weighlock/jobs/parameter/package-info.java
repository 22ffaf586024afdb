/** Parameters that a job file declares, and the values a run gives them. */
@NullMarked
package dev.weighlock.jobs.parameter;

import org.jspecify.annotations.NullMarked;
