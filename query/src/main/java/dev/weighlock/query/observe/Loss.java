package dev.weighlock.query.observe;

/** How many events of one class were not kept, for one reason; always more than zero. */
public record Loss(EventClass eventClass, LossReason reason, long count) {}
