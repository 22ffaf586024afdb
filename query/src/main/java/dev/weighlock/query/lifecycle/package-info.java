/**
 * The backend's gate: who may still begin, who is still inside, and the slices in which a backend closes.
 *
 * <p>Start with {@link dev.weighlock.query.lifecycle.BackendLifecycle}.
 */
@NullMarked
package dev.weighlock.query.lifecycle;

import org.jspecify.annotations.NullMarked;
