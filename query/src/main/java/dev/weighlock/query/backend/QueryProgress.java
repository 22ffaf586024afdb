package dev.weighlock.query.backend;

import java.util.OptionalDouble;

/**
 * How far a query is.
 *
 * @param fraction of the statement done, from 0 to 1, where the engine can tell
 * @param rows handed over or written so far
 * @param memoryBytes highest use inside the grant so far
 */
public record QueryProgress(OptionalDouble fraction, long rows, long memoryBytes) {}
