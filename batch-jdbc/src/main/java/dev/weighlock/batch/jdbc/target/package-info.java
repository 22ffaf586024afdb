/** Databases that jobs write to and read from: connections, checkpoints in the target, row writers and readers. */
@NullMarked
package dev.weighlock.batch.jdbc.target;

import org.jspecify.annotations.NullMarked;
