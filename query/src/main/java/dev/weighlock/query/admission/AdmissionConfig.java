package dev.weighlock.query.admission;

import java.time.Duration;
import java.util.List;

/**
 * The limits of an admission service.
 *
 * @param queueLimit requests that may wait, all pools together
 * @param maxWait how long a request may wait, whatever its pool allows
 * @param cleaningLimit how long a grant may be cleaned up before its instance counts as lost
 * @param maxPasses how often later requests may pass one that does not fit
 */
public record AdmissionConfig(
        int queueLimit, Duration maxWait, Duration cleaningLimit, int maxPasses, List<PoolConfig> pools) {
    /** 1,000 waiters, 5 minutes, 30 seconds of cleaning, 16 passes, one pool. */
    public static final AdmissionConfig DEFAULT = new AdmissionConfig(
            1_000,
            Duration.ofMinutes(5),
            Duration.ofSeconds(30),
            16,
            List.of(PoolConfig.named(PoolConfig.DEFAULT_NAME)));

    public AdmissionConfig {
        pools = List.copyOf(pools);
        if (queueLimit < 1 || maxPasses < 1 || !maxWait.isPositive() || !cleaningLimit.isPositive()) {
            throw new IllegalArgumentException("the limits of the admission queue must be positive");
        }
        if (pools.isEmpty() || pools.stream().map(PoolConfig::name).distinct().count() != pools.size()) {
            throw new IllegalArgumentException("pools must be named, each once");
        }
    }

    public AdmissionConfig withQueueLimit(int requests) {
        return new AdmissionConfig(requests, maxWait, cleaningLimit, maxPasses, pools);
    }

    public AdmissionConfig withMaxWait(Duration limit) {
        return new AdmissionConfig(queueLimit, limit, cleaningLimit, maxPasses, pools);
    }

    public AdmissionConfig withCleaningLimit(Duration limit) {
        return new AdmissionConfig(queueLimit, maxWait, limit, maxPasses, pools);
    }

    public AdmissionConfig withPools(PoolConfig... named) {
        return new AdmissionConfig(queueLimit, maxWait, cleaningLimit, maxPasses, List.of(named));
    }
}
