/** DuckDB as a {@code QueryEngine}. */
@NullMarked
package dev.weighlock.duckdb;

import org.jspecify.annotations.NullMarked;
