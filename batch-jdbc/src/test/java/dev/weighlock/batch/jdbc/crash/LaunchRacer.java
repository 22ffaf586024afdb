package dev.weighlock.batch.jdbc.crash;

import dev.weighlock.batch.JobParameters;
import dev.weighlock.batch.ParameterValue.LongValue;
import dev.weighlock.batch.flow.Job;
import dev.weighlock.batch.flow.TaskletStep;
import dev.weighlock.batch.launch.LaunchOptions;
import dev.weighlock.batch.launch.LaunchResult;
import dev.weighlock.batch.launch.NodeRuntime;
import dev.weighlock.batch.tasklet.TaskletOutcome;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;

/**
 * One of two processes that launch the same instances with many threads at once, and write down what each was answered.
 * Arguments: repository, own number, rounds.
 */
final class LaunchRacer {
    static final int THREADS = 8;
    static final String NAME = "race";

    /** @param answer of the launcher */
    record Entry(int round, String answer, long execution) {}

    private LaunchRacer() {}

    public static void main(String[] arguments) throws Exception {
        var place = (CrashPlace.Postgres) CrashPlace.parse(arguments[0]);
        race(place, Integer.parseInt(arguments[1]), Integer.parseInt(arguments[2]));
        System.exit(0);
    }

    static void race(CrashPlace.Postgres place, int process, int rounds) throws Exception {
        var job = Job.named(NAME)
                .step(TaskletStep.of("work", context -> TaskletOutcome.COMPLETED))
                .build();
        try (var repository = place.open();
                var node = NodeRuntime.on(repository).start();
                var threads = Executors.newFixedThreadPool(THREADS);
                var book = new ItemTable(place.url()).connect()) {
            for (int round = 1; round <= rounds; round++) {
                var parameters = JobParameters.NONE.with("round", new LongValue(round));
                int number = round;
                List<Callable<Entry>> launches = new ArrayList<>();
                for (int i = 0; i < THREADS; i++) {
                    launches.add(() -> entry(
                            number, node.launcher().launch(job, parameters, LaunchOptions.DEFAULT.withCallerThread())));
                }
                meet(book, process, round);
                for (var launched : threads.invokeAll(launches)) {
                    write(book, launched.get());
                }
            }
        }
    }

    private static Entry entry(int round, LaunchResult result) {
        return switch (result) {
            case LaunchResult.Launched(var run) -> new Entry(round, "launched", run.executionId());
            case LaunchResult.AlreadyRunning(var winner) -> new Entry(round, "running", winner.id());
            case LaunchResult.AlreadyComplete(var winner) -> new Entry(round, "complete", winner.id());
            case LaunchResult other -> new Entry(round, other.toString(), 0);
        };
    }

    /** Both processes begin a round together. */
    private static void meet(Connection book, int process, int round) throws SQLException {
        try (var statement = book.createStatement()) {
            statement.executeUpdate("INSERT INTO arrival VALUES (" + process + ", " + round + ")");
            while (true) {
                try (var row = statement.executeQuery("SELECT count(*) FROM arrival WHERE round = " + round)) {
                    row.next();
                    if (row.getInt(1) == 2) {
                        return;
                    }
                }
                LockSupport.parkNanos(200_000);
            }
        }
    }

    private static void write(Connection book, Entry entry) throws SQLException {
        try (var insert = book.prepareStatement("INSERT INTO answer VALUES (?, ?, ?)")) {
            insert.setInt(1, entry.round());
            insert.setString(2, entry.answer());
            insert.setLong(3, entry.execution());
            insert.executeUpdate();
        }
    }
}
