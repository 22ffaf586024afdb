package dev.weighlock.query.backend;

import java.util.OptionalDouble;

/**
 * How far a query is.
 *
 * @param fraction of the statement done, from 0 to 1, where the engine can tell
 * @param rows handed to the reader or written so far
 * @param unreadBytes held by rows that wait for their reader
 */
public record QueryProgress(OptionalDouble fraction, long rows, long unreadBytes) {}
