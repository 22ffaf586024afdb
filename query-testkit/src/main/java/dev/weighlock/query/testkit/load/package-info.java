/** Work that is heavy in known ways, for tests and benchmarks, in SQL as DuckDB speaks it; and how its memory is watched. */
@NullMarked
package dev.weighlock.query.testkit.load;

import org.jspecify.annotations.NullMarked;
