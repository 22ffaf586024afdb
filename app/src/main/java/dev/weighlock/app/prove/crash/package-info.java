/** {@code wl prove crash}: a process is killed wherever it commits, and what it began is finished. */
@NullMarked
package dev.weighlock.app.prove.crash;

import org.jspecify.annotations.NullMarked;
