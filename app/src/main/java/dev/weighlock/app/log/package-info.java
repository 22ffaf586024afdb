/** Each execution's own log file. */
@NullMarked
package dev.weighlock.app.log;

import org.jspecify.annotations.NullMarked;
