/**
 * What one attempt did, event by event, within fixed caps: the recorder, its seal and its JSONL form. Caps lose events
 * and say so; they never change an outcome or a total.
 *
 * <p>Start with {@link dev.weighlock.query.observe.Observation}.
 */
@NullMarked
package dev.weighlock.query.observe;

import org.jspecify.annotations.NullMarked;
