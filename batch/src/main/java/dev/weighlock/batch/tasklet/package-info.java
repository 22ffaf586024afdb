/** Steps that are one piece of work. */
@NullMarked
package dev.weighlock.batch.tasklet;

import org.jspecify.annotations.NullMarked;
