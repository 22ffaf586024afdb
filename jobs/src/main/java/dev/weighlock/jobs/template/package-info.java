/** Paths with values in them, percent-encoded byte by byte. */
@NullMarked
package dev.weighlock.jobs.template;

import org.jspecify.annotations.NullMarked;
