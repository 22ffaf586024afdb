package dev.weighlock.query.observe;

import org.jspecify.annotations.Nullable;

/**
 * One operator of an engine's plan.
 *
 * @param parent the id of the operator that reads from this one, absent at the top
 */
public record TopologyNode(int id, @Nullable Integer parent, String operator) {}
