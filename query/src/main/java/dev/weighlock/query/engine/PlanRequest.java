package dev.weighlock.query.engine;

import java.time.Duration;

/**
 * A statement to plan.
 *
 * @param statement what to classify; its values are not looked at
 * @param limit how long the planner may take
 */
public record PlanRequest(EngineStatement statement, Duration limit) {
    public PlanRequest {
        if (!limit.isPositive()) {
            throw new IllegalArgumentException("the planning limit must be positive, not " + limit);
        }
    }
}
