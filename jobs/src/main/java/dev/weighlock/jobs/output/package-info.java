/** Files that are written whole or not at all. */
@NullMarked
package dev.weighlock.jobs.output;

import org.jspecify.annotations.NullMarked;
