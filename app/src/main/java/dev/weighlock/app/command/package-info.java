/** The commands of wl and their exit codes. */
@NullMarked
package dev.weighlock.app.command;

import org.jspecify.annotations.NullMarked;
