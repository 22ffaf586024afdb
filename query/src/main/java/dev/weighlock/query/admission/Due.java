package dev.weighlock.query.admission;

import java.util.Comparator;

/** Something that happens at a time unless it is taken back before. */
sealed interface Due permits Waiter, Running {
    /** Requests and grants are counted apart, so the same number may stand for one of each. */
    Comparator<Due> SOONEST = (one, other) -> {
        int byTime = Long.compare(one.dueNanos(), other.dueNanos());
        int byOrder = byTime != 0 ? byTime : Long.compare(one.order(), other.order());
        return byOrder != 0 ? byOrder : Boolean.compare(one instanceof Running, other instanceof Running);
    };

    long dueNanos();

    /** Tells things of one kind apart that are due at the same time. */
    long order();
}
