package dev.weighlock.bench.postgres;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import dev.weighlock.batch.jdbc.postgres.PostgresSchema;
import dev.weighlock.batch.testkit.ChildJvm;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.slf4j.LoggerFactory;

/** B10: a process that writes items is killed in the middle, and another one is started at once. */
final class KilledRun {
    private static final Duration LONGEST = Duration.ofMinutes(10);
    private static final int CHUNK = 1_000;

    private KilledRun() {}

    /** Milliseconds from the start of the second process to the first chunk that it commits. */
    static double untilWorkingAgain(BenchServer server, Place place, int items) throws Exception {
        new PostgresSchema(Weighlock.settings(place)).migrate();
        List<String> arguments = List.of(
                place.database(), Integer.toString(place.port()), place.locks().toString(), Integer.toString(items));
        try (ChildJvm first = ChildJvm.start(KilledRun.class, place.locks().resolveSibling("killed"), arguments)) {
            awaitWritten(server, place, first, 1, items / 2);
            first.kill();
        }
        long begun = System.nanoTime();
        try (ChildJvm second = ChildJvm.start(KilledRun.class, place.locks().resolveSibling("again"), arguments)) {
            awaitWritten(server, place, second, 2, 1);
            double millis = (System.nanoTime() - begun) / 1e6;
            if (second.awaitExit(LONGEST) != 0) {
                throw new IllegalStateException(second.output());
            }
            check(server, place, items);
            return millis;
        }
    }

    /** What is committed of an attempt, as an outsider sees it every few milliseconds. */
    private static void awaitWritten(BenchServer server, Place place, ChildJvm child, int attempt, long rows)
            throws Exception {
        String written =
                "SELECT coalesce(max(write_count), 0) FROM weighlock.step_execution WHERE attempt = " + attempt;
        try (var connection = server.connect(place);
                var statement = connection.prepareStatement(written)) {
            long deadline = System.nanoTime() + LONGEST.toNanos();
            while (System.nanoTime() < deadline) {
                try (var row = statement.executeQuery()) {
                    if (row.next() && row.getLong(1) >= rows) {
                        return;
                    }
                }
                Thread.sleep(2);
            }
        }
        throw new IllegalStateException("nothing more is written: " + child.output());
    }

    private static void check(BenchServer server, Place place, int items) throws Exception {
        long rows = server.number(place, "SELECT count(*) FROM item");
        long different = server.number(place, "SELECT count(DISTINCT id) FROM item");
        if (rows != items || different != items) {
            throw new IllegalStateException(rows + " rows, " + different + " different ones, instead of " + items);
        }
    }

    public static void main(String[] args) throws Exception {
        ((Logger) LoggerFactory.getLogger(Logger.ROOT_LOGGER_NAME)).setLevel(Level.OFF);
        Place place = new Place(args[0], Integer.parseInt(args[1]), 10, Path.of(args[2]));
        try (Weighlock side = new Weighlock(place)) {
            side.itemsAgain(Integer.parseInt(args[3]), CHUNK);
        }
    }
}
