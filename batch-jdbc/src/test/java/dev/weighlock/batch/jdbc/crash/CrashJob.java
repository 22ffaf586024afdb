package dev.weighlock.batch.jdbc.crash;

import dev.weighlock.batch.BatchStatus;
import dev.weighlock.batch.JobParameters;
import dev.weighlock.batch.jdbc.target.Database;
import dev.weighlock.batch.launch.LaunchResult;
import dev.weighlock.batch.launch.NodeRuntime;
import dev.weighlock.batch.run.RunOutcome;
import java.time.Duration;

/**
 * Runs the job of numbers to its end. Arguments: repository, target URL, partitions (0 for none). Run in a JVM of its own
 * to be killed, and in the test's to finish what was begun.
 */
final class CrashJob {
    static final String NAME = "crash";

    private static final Duration LONGEST_RUN = Duration.ofSeconds(60);

    private CrashJob() {}

    public static void main(String[] arguments) throws Exception {
        var status = run(CrashPlace.parse(arguments[0]), arguments[1], Integer.parseInt(arguments[2]));
        System.out.println(status);
        System.exit(status == BatchStatus.COMPLETED ? 0 : 1);
    }

    /** Launches, restarts, or finds complete. */
    static BatchStatus run(CrashPlace place, String url, int partitions) throws InterruptedException {
        try (var repository = place.open();
                var target = Database.open(NumbersJob.settings(url));
                var node = NodeRuntime.on(repository).start()) {
            var job = NumbersJob.into(target, NAME, partitions);
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
