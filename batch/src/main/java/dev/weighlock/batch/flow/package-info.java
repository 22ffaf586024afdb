/** The definition of a job: steps, decisions, splits and the transitions between them. */
@NullMarked
package dev.weighlock.batch.flow;

import org.jspecify.annotations.NullMarked;
