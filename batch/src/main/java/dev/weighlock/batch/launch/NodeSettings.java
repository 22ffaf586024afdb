package dev.weighlock.batch.launch;

import java.time.Duration;

/**
 * The times of a node.
 *
 * @param poll how often stop requests are looked for where a push was missed, 100 ms to 60 s
 * @param recovery how often executions of dead owners are looked for, 1 s to 1 h
 */
public record NodeSettings(Duration poll, Duration recovery) {
    public static final NodeSettings DEFAULT = new NodeSettings(Duration.ofSeconds(1), Duration.ofSeconds(10));

    public NodeSettings {
        check("poll", poll, Duration.ofMillis(100), Duration.ofSeconds(60));
        check("recovery", recovery, Duration.ofSeconds(1), Duration.ofHours(1));
    }

    private static void check(String what, Duration value, Duration least, Duration most) {
        if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
            throw new IllegalArgumentException(what + " must be between " + least + " and " + most + ", not " + value);
        }
    }

    public NodeSettings withPoll(Duration interval) {
        return new NodeSettings(interval, recovery);
    }
}
