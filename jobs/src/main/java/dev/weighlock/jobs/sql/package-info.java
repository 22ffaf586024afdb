/** SQL texts of a job file: bound names are found and bound, never pasted. */
@NullMarked
package dev.weighlock.jobs.sql;

import org.jspecify.annotations.NullMarked;
