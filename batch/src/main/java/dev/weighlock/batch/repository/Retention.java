package dev.weighlock.batch.repository;

import java.util.List;
import java.util.Optional;

/**
 * Removing what is old, instance by instance and in short transactions, so that live work never waits for it. A removal
 * that began is finished by the next purge: until then its instance is refused to launches.
 */
public interface Retention {
    /** A page of what the rule would remove, in an order that does not change. */
    List<PurgeCandidate> purgeable(PurgeRule rule, Optional<PurgeCandidate> after, int limit);

    /**
     * Begins the removal of those to which the rule still applies and that nobody ran meanwhile.
     *
     * @return these, and whatever an earlier purge began and did not end
     */
    List<PurgedInstance> beginPurge(PurgeRule rule, List<PurgeCandidate> candidates);

    /**
     * Removes up to {@code mostRows} rows of instances whose removal began. Audit entries stay.
     *
     * @return how many; fewer than {@code mostRows} when nothing is left
     */
    long purge(int mostRows);

    /** Removes launch requests that ended before the rule's instant, up to so many; returns how many. */
    long purgeQueue(PurgeRule rule, int most);
}
