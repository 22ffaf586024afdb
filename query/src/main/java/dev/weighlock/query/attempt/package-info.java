/**
 * One execution of one query, from its begin to its sealed report, split by what each party may do.
 *
 * <p>Start with {@link dev.weighlock.query.attempt.Attempts#begin}, which gives the {@link
 * dev.weighlock.query.attempt.AttemptOwner owner} and the {@link dev.weighlock.query.attempt.CompletionFactory
 * completion factory}. The owner fixes the outcome; {@link dev.weighlock.query.attempt.AttemptHandle handles} only
 * record; {@link dev.weighlock.query.attempt.AdmissionBinding#claim} moves the right to finish the attempt into the
 * admission, which alone can seal an admitted attempt after its cleanup.
 *
 * <p>Locks, in the only order in which they are nested: finalizer slot, attempt lock, observation lock. Sinks,
 * observers, release hooks, cancellation listeners and stages run with none of them held.
 */
@NullMarked
package dev.weighlock.query.attempt;

import org.jspecify.annotations.NullMarked;
