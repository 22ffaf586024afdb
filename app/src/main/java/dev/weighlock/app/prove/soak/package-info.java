/** {@code wl prove soak}: the same work over and over, with a failure each time, must leave nothing behind. */
@NullMarked
package dev.weighlock.app.prove.soak;

import org.jspecify.annotations.NullMarked;
