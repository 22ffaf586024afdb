/** Benchmarks and side-by-side runs; not shipped. */
@NullMarked
package dev.weighlock.bench;

import org.jspecify.annotations.NullMarked;
