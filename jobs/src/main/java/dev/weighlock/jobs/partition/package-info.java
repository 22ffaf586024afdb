/** Partition plans made by SQL. */
@NullMarked
package dev.weighlock.jobs.partition;

import org.jspecify.annotations.NullMarked;
