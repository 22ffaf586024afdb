/** Shell steps: programs that a job runs, with their arguments as they are. */
@NullMarked
package dev.weighlock.jobs.shell;

import org.jspecify.annotations.NullMarked;
