package dev.weighlock.query.admission;

import java.time.Duration;

/**
 * One pool of requests.
 *
 * @param weight its part of the devices when pools compete
 * @param maxRunning grants it may hold at once, those being cleaned up included
 * @param maxQueued requests of it that may wait
 * @param maxWait how long one of them may wait
 * @param largestCapBytes the most one request may ask for
 */
public record PoolConfig(
        String name, int weight, int maxRunning, int maxQueued, Duration maxWait, long largestCapBytes) {
    /** The pool of requests that name none. */
    public static final String DEFAULT_NAME = "default";

    private static final Duration UNLIMITED = Duration.ofDays(365);

    public PoolConfig {
        if (name.isBlank() || weight < 1 || maxRunning < 1 || maxQueued < 1 || largestCapBytes < 1) {
            throw new IllegalArgumentException("a pool needs a name and positive limits: " + name);
        }
        if (!maxWait.isPositive()) {
            throw new IllegalArgumentException("the wait limit of pool " + name + " must be positive");
        }
    }

    /** A pool of weight 1 that only the service's own limits bound. */
    public static PoolConfig named(String name) {
        return new PoolConfig(name, 1, Integer.MAX_VALUE, Integer.MAX_VALUE, UNLIMITED, Long.MAX_VALUE);
    }

    public PoolConfig withWeight(int parts) {
        return new PoolConfig(name, parts, maxRunning, maxQueued, maxWait, largestCapBytes);
    }

    public PoolConfig withMaxRunning(int grants) {
        return new PoolConfig(name, weight, grants, maxQueued, maxWait, largestCapBytes);
    }

    public PoolConfig withMaxQueued(int requests) {
        return new PoolConfig(name, weight, maxRunning, requests, maxWait, largestCapBytes);
    }

    public PoolConfig withMaxWait(Duration limit) {
        return new PoolConfig(name, weight, maxRunning, maxQueued, limit, largestCapBytes);
    }

    public PoolConfig withLargestCap(long bytes) {
        return new PoolConfig(name, weight, maxRunning, maxQueued, maxWait, bytes);
    }
}
