package dev.weighlock.app.prove.crash;

import dev.weighlock.app.exit.CommandFailure;
import dev.weighlock.app.exit.ExitCode;
import dev.weighlock.app.prove.stand.Setting;
import dev.weighlock.app.prove.stand.Settings;
import java.time.Duration;
import java.util.List;

/**
 * The size of the jobs that are killed.
 *
 * @param numbers of a job, or of each of its partitions
 * @param kills how often each instance is killed at its point, one attempt after the other
 * @param points which ones; empty for all
 * @param limit how long a process may take
 */
record Shape(int numbers, int chunk, int partitions, int kills, List<String> points, Duration limit) {
    private static final String ALL = "all";

    static final List<Setting> SETTINGS = List.of(
            new Setting("numbers", "40", "rows of a job, or of each partition"),
            new Setting("chunk", "5", "rows of one commit"),
            new Setting("partitions", "3", "of the partitioned job, two at once"),
            new Setting("kills", "2", "in a row at each point, each of the next attempt's process"),
            new Setting("points", ALL, "where to kill: names of points, separated by commas"),
            new Setting("limit", "1m", "how long one process may take"));

    static Shape of(Settings settings) {
        List<String> points = settings.words("points");
        return new Shape(
                settings.count("numbers"),
                settings.count("chunk"),
                settings.count("partitions"),
                settings.count("kills"),
                points.equals(List.of(ALL)) ? List.of() : known(points),
                settings.time("limit"));
    }

    /** @throws CommandFailure USAGE for a point that there is not */
    private static List<String> known(List<String> points) {
        for (String point : points) {
            if (!KillPoint.NAMES.contains(point)) {
                throw new CommandFailure(
                        ExitCode.USAGE,
                        "the setting points knows no point '" + point + "'",
                        "it knows " + ALL + ", or some of " + String.join(", ", KillPoint.NAMES));
            }
        }
        return points;
    }

    boolean includes(KillPoint point) {
        return points.isEmpty() || points.contains(point.name());
    }
}
