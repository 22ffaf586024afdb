/** The shell script wl, run as a person runs it. */
@NullMarked
package dev.weighlock.app.launcher;

import org.jspecify.annotations.NullMarked;
