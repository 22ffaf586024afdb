package dev.weighlock.query.engine;

import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A statement to plan.
 *
 * @param sql with {@code :name} for values; see {@link NamedParameters}
 * @param baseDirectory where the files that the text names by relative paths lie; null leaves such paths to be refused
 * @param limit how long the planner may take
 */
public record PlanRequest(String sql, @Nullable Path baseDirectory, Duration limit) {
    public PlanRequest {
        if (baseDirectory != null && !baseDirectory.isAbsolute()) {
            throw new IllegalArgumentException("the base directory " + baseDirectory + " is not absolute");
        }
        if (!limit.isPositive()) {
            throw new IllegalArgumentException("the planning limit must be positive, not " + limit);
        }
    }
}
