/** The campaign about stop, cancel and drain. */
@NullMarked
package dev.weighlock.app.prove.cancellation;

import org.jspecify.annotations.NullMarked;
