package dev.weighlock.query.admission;

import java.util.Comparator;

/** Something that happens at a time unless it is taken back before. */
interface Due {
    Comparator<Due> SOONEST = Comparator.comparingLong(Due::dueNanos).thenComparingLong(Due::order);

    long dueNanos();

    /** Tells things apart that are due at the same time. */
    long order();
}
