/** Chunks of delimited files into tables. */
@NullMarked
package dev.weighlock.jobs.table;

import org.jspecify.annotations.NullMarked;
