/** Starting jobs: the node that runs them, its launcher, and what it tells while they run. */
@NullMarked
package dev.weighlock.batch.launch;

import org.jspecify.annotations.NullMarked;
