/** Delimited files: schema, values, files of a pattern, and a reader that knows its place. */
@NullMarked
package dev.weighlock.jobs.csv;

import org.jspecify.annotations.NullMarked;
