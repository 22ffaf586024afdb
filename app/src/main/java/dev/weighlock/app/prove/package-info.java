/** {@code wl prove}: promises of the runtime, shown on a database of the user's choice. */
@NullMarked
package dev.weighlock.app.prove;

import org.jspecify.annotations.NullMarked;
