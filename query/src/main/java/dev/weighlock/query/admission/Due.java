package dev.weighlock.query.admission;

import java.util.Comparator;

/** Something that happens at a time unless it is taken back before. */
interface Due {
    Comparator<Due> SOONEST = (one, other) -> {
        int byTime = Long.compare(one.dueNanos(), other.dueNanos());
        return byTime != 0 ? byTime : Long.compare(one.order(), other.order());
    };

    long dueNanos();

    /** Tells things apart that are due at the same time. */
    long order();
}
