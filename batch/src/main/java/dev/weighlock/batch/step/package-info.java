/** What a step's code sees while it runs: its ids, parameters, contexts and stop token. */
@NullMarked
package dev.weighlock.batch.step;

import org.jspecify.annotations.NullMarked;
