/** What is wrong or doubtful in a job file, and its graph. */
@NullMarked
package dev.weighlock.jobs.check;

import org.jspecify.annotations.NullMarked;
