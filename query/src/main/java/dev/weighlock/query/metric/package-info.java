/** Metrics of one backend generation: a fixed set of series, fed by ledgers and sealed reports alone. */
@NullMarked
package dev.weighlock.query.metric;

import org.jspecify.annotations.NullMarked;
