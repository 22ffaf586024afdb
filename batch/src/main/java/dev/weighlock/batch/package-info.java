/** The batch runtime vocabulary: jobs, executions, parameters, statuses. */
@NullMarked
package dev.weighlock.batch;

import org.jspecify.annotations.NullMarked;
