package dev.weighlock.batch.shutdown;

import java.time.Duration;

/**
 * How long each part of a shutdown may take. Only the first two decide what the drain reports.
 *
 * @param deadline from the first step to the stored record, 1 s to 1 h
 * @param taskJoin how much of it the wait for owned tasks may take, 1 s to the deadline
 * @param telemetryFlush 100 ms to 60 s, after the record is stored
 * @param poolClose for the heartbeat's end and the repository's close, 1 ms to 5 min
 */
public record ShutdownSettings(Duration deadline, Duration taskJoin, Duration telemetryFlush, Duration poolClose) {
    private static final Duration LEAST_DRAIN = Duration.ofSeconds(1);
    private static final Duration MOST_DRAIN = Duration.ofHours(1);

    /** 30 s for the drain, 5 s for telemetry, 30 s for the pool. */
    public static final ShutdownSettings DEFAULT = new ShutdownSettings(
            Duration.ofSeconds(30), Duration.ofSeconds(30), Duration.ofSeconds(5), Duration.ofSeconds(30));

    /** @throws IllegalArgumentException naming the value that is out of its bounds */
    public ShutdownSettings {
        check("the shutdown deadline", deadline, LEAST_DRAIN, MOST_DRAIN);
        check("the task join deadline", taskJoin, LEAST_DRAIN, MOST_DRAIN);
        check("the telemetry flush deadline", telemetryFlush, Duration.ofMillis(100), Duration.ofSeconds(60));
        check("the pool close timeout", poolClose, Duration.ofMillis(1), Duration.ofMinutes(5));
        if (taskJoin.compareTo(deadline) > 0) {
            throw new IllegalArgumentException("the task join deadline, " + taskJoin
                    + ", must not be longer than the shutdown deadline, " + deadline);
        }
    }

    private static void check(String what, Duration value, Duration least, Duration most) {
        if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
            throw new IllegalArgumentException(what + " must be between " + least + " and " + most + ", not " + value);
        }
    }

    /** The same time for the whole drain and for the wait in it. */
    public ShutdownSettings withDeadline(Duration limit) {
        return new ShutdownSettings(limit, limit, telemetryFlush, poolClose);
    }

    public ShutdownSettings withTaskJoin(Duration limit) {
        return new ShutdownSettings(deadline, limit, telemetryFlush, poolClose);
    }

    public ShutdownSettings withTelemetryFlush(Duration limit) {
        return new ShutdownSettings(deadline, taskJoin, limit, poolClose);
    }

    public ShutdownSettings withPoolClose(Duration limit) {
        return new ShutdownSettings(deadline, taskJoin, telemetryFlush, limit);
    }
}
