package dev.weighlock.app.prove.cancellation;

import dev.weighlock.app.exit.CommandFailure;
import dev.weighlock.app.prove.stand.Setting;
import dev.weighlock.app.prove.stand.Settings;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The size of the campaign's jobs and drains.
 *
 * @param work how long a body works at least unless it is stopped
 * @param beat between two renewals of a body's heartbeat row
 * @param limit how long anything is waited for that is to be seen
 */
record Shape(
        int partitions,
        int workers,
        int pool,
        Duration poll,
        Duration work,
        Duration beat,
        Duration limit,
        List<Duration> deadlines) {
    static final List<Setting> SETTINGS = List.of(
            new Setting("partitions", "64", "of each partitioned step"),
            new Setting("workers", "4", "at once"),
            new Setting("pool", "5", "connections for running work, on a server"),
            new Setting("poll", "100ms", "how often the owner looks for stop requests where no push reached it"),
            new Setting(
                    "work",
                    "500ms",
                    "of one partition; up to twice as long by its place, so that workers do not end together"),
            new Setting("beat", "20ms", "between two heartbeats of a worker's body"),
            new Setting("limit", "2m", "how long anything is waited for"),
            new Setting("deadlines", "1s,5s,30s", "of the drains, shortest first"));

    private static final int LEAST_ROUNDS = 3;
    private static final Duration LEAST_POLL = Duration.ofMillis(100);
    private static final Duration MOST_POLL = Duration.ofSeconds(60);
    private static final Duration LEAST_DEADLINE = Duration.ofSeconds(1);
    private static final Duration MOST_DEADLINE = Duration.ofHours(1);

    /** @throws CommandFailure USAGE for what cannot be run */
    static Shape of(Settings settings) {
        Shape shape = new Shape(
                settings.count("partitions"),
                settings.count("workers"),
                settings.count("pool"),
                settings.time("poll"),
                settings.time("work"),
                settings.time("beat"),
                settings.time("limit"),
                settings.times("deadlines"));
        if (shape.partitions < LEAST_ROUNDS * shape.workers) {
            throw settings.refused(
                    "partitions", "three times the number of workers, so that a stop finds some not begun");
        }
        if (shape.pool <= shape.workers) {
            throw settings.refused("pool", "a connection more than there are workers");
        }
        if (shape.poll.compareTo(LEAST_POLL) < 0 || shape.poll.compareTo(MOST_POLL) > 0) {
            throw settings.refused("poll", "a duration of 100ms to 60s");
        }
        if (shape.deadlines.stream()
                .anyMatch(one -> one.compareTo(LEAST_DEADLINE) < 0 || one.compareTo(MOST_DEADLINE) > 0)) {
            throw settings.refused("deadlines", "durations of 1s to 1h");
        }
        return shape;
    }

    List<String> keys() {
        return IntStream.range(0, partitions)
                .mapToObj("partition-%04d"::formatted)
                .toList();
    }

    /** How long the body of {@code key} works: workers that began together do not end together. */
    Duration workOf(String key) {
        int place = keys().indexOf(key) % workers;
        return work.plus(work.multipliedBy(place).dividedBy(workers));
    }
}
