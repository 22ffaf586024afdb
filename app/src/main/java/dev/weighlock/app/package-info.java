/** The {@code wl} command. */
@NullMarked
package dev.weighlock.app;

import org.jspecify.annotations.NullMarked;
