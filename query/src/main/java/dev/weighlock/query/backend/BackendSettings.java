package dev.weighlock.query.backend;

/**
 * How much a backend may hand out.
 *
 * @param queryBytes the sum of all grants
 * @param defaultCapBytes the grant of a query that names no cap
 * @param maxActive how many queries may run at once
 * @param tempLimitBytes how much disk one query may spill to
 */
public record BackendSettings(long queryBytes, long defaultCapBytes, int maxActive, long tempLimitBytes) {}
