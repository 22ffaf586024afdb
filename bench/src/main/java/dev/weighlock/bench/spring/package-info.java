/** The peer: Spring Batch as its own documentation sets it up. */
@NullMarked
package dev.weighlock.bench.spring;

import org.jspecify.annotations.NullMarked;
