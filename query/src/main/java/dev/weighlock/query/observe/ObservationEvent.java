package dev.weighlock.query.observe;

/**
 * One event.
 *
 * @param sequence from 1; a gap shows where an event was lost
 * @param atNanos of the attempt's clock
 */
public record ObservationEvent(long sequence, long atNanos, EventPayload payload) {}
