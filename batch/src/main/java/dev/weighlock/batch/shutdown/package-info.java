/** The orderly end of a process: intake, cancel, join, result. */
@NullMarked
package dev.weighlock.batch.shutdown;

import org.jspecify.annotations.NullMarked;
