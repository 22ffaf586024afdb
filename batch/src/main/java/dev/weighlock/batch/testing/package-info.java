/** Fixtures that tests of this and other modules share: crash points, clocks and waits. */
@NullMarked
package dev.weighlock.batch.testing;

import org.jspecify.annotations.NullMarked;
