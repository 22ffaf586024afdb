package dev.weighlock.batch.jdbc.crash;

import dev.weighlock.batch.BatchStatus;
import dev.weighlock.batch.JobParameters;
import dev.weighlock.batch.flow.Job;
import dev.weighlock.batch.jdbc.target.Database;
import dev.weighlock.batch.launch.LaunchResult;
import dev.weighlock.batch.launch.NodeRuntime;
import dev.weighlock.batch.run.RunOutcome;
import java.time.Duration;

/**
 * Runs the job of numbers to its end. Arguments: repository, target URL or {@link #ENLISTED}, partitions (0 for none). Run
 * in a JVM of its own to be killed, and in the test's to finish what was begun.
 */
final class CrashJob {
    static final String NAME = "crash";
    /** Instead of a URL: the rows go to the repository's own database. */
    static final String ENLISTED = "enlisted";

    private static final Duration LONGEST_RUN = Duration.ofMinutes(5);

    private CrashJob() {}

    public static void main(String[] arguments) throws Exception {
        var status = run(CrashPlace.parse(arguments[0]), arguments[1], Integer.parseInt(arguments[2]));
        System.out.println(status);
        System.exit(status == BatchStatus.COMPLETED ? 0 : 1);
    }

    /** Launches, restarts, or finds complete. */
    static BatchStatus run(CrashPlace place, String url, int partitions) throws InterruptedException {
        if (url.equals(ENLISTED)) {
            return run(place, NumbersJob.enlisted(NAME, "item"));
        }
        try (var target = Database.open(NumbersJob.settings(url))) {
            return run(place, NumbersJob.into(target, NAME, partitions));
        }
    }

    private static BatchStatus run(CrashPlace place, Job job) throws InterruptedException {
        try (var repository = place.open();
                var node = NodeRuntime.on(repository).start()) {
            return switch (node.launcher().launch(job, JobParameters.NONE)) {
                case LaunchResult.Launched(var run) ->
                    switch (run.await(LONGEST_RUN).orElseThrow()) {
                        case RunOutcome.Ended(var execution) -> execution.status();
                        case RunOutcome lost -> throw new IllegalStateException("the run was lost: " + lost);
                    };
                case LaunchResult.AlreadyComplete(var winner) -> winner.status();
                case LaunchResult refused -> throw new IllegalStateException("the launch was refused: " + refused);
            };
        }
    }
}
