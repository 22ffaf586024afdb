/** The port through which the runtime keeps what it did, and its in-memory form. */
@NullMarked
package dev.weighlock.batch.repository;

import org.jspecify.annotations.NullMarked;
