/** Batch on PostgreSQL beside its peers, on one server in one run. */
@NullMarked
package dev.weighlock.bench.postgres;

import org.jspecify.annotations.NullMarked;
