package dev.weighlock.batch.jdbc.crash;

import dev.weighlock.batch.BatchError;
import dev.weighlock.batch.BatchException;
import dev.weighlock.batch.JobParameters;
import dev.weighlock.batch.flow.Job;
import dev.weighlock.batch.flow.TaskletStep;
import dev.weighlock.batch.jdbc.target.Database;
import dev.weighlock.batch.launch.LaunchResult;
import dev.weighlock.batch.launch.NodeRuntime;
import dev.weighlock.batch.repository.JobRepository;
import dev.weighlock.batch.run.RunOutcome;
import dev.weighlock.batch.run.RunningJob;
import dev.weighlock.batch.tasklet.TaskletOutcome;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * The owner of a job of numbers that a test stops whole. Says what became of its run, and then runs another job. Arguments:
 * repository, job, target URL or {@code table NAME} of the repository's database, folder of the crash point, and how far its
 * clock is ahead.
 */
final class PausedOwner {
    private static final Duration LONGEST_RUN = Duration.ofMinutes(2);

    private PausedOwner() {}

    public static void main(String[] arguments) throws Exception {
        var clock = Clock.offset(Clock.systemUTC(), Duration.parse(arguments[4]));
        try (var repository = CrashPlace.parse(arguments[0]).open(clock);
                var node = NodeRuntime.on(repository).start()) {
            say(own(node, repository, arguments));
            var after = Job.named(arguments[1] + "-after")
                    .step(TaskletStep.of("work", context -> TaskletOutcome.COMPLETED))
                    .build();
            say(outcome(node, repository, after, () -> false));
        }
        System.exit(0);
    }

    private static RunOutcome own(NodeRuntime node, JobRepository repository, String[] arguments) throws Exception {
        if (arguments[2].startsWith("table ")) {
            var job = NumbersJob.enlisted(arguments[1], arguments[2].substring(6));
            return outcome(node, repository, job, () -> isReached(arguments[3]));
        }
        try (var target = Database.open(NumbersJob.settings(arguments[2]))) {
            var job = NumbersJob.into(target, arguments[1], 0);
            return outcome(node, repository, job, () -> isReached(arguments[3]));
        }
    }

    private static boolean isReached(String folder) {
        return Files.exists(Path.of(folder, "reached"));
    }

    /** A short lease may lapse at any time on a busy machine: then the job is launched again, until it counts. */
    private static RunOutcome outcome(NodeRuntime node, JobRepository repository, Job job, BooleanSupplier counts)
            throws InterruptedException {
        while (true) {
            var outcome = launched(node, repository, job).await(LONGEST_RUN).orElseThrow();
            if (outcome instanceof RunOutcome.Ended || counts.getAsBoolean()) {
                return outcome;
            }
        }
    }

    private static RunningJob launched(NodeRuntime node, JobRepository repository, Job job) {
        while (true) {
            if (repository.unfit().isEmpty()) {
                try {
                    switch (node.launcher().launch(job, JobParameters.NONE)) {
                        case LaunchResult.Launched(var run) -> {
                            return run;
                        }
                        case LaunchResult.AlreadyRunning _ -> {}
                        case LaunchResult refused ->
                            throw new IllegalStateException("the launch was refused: " + refused);
                    }
                } catch (BatchException e) {
                    if (e.error() != BatchError.REPOSITORY_UNAVAILABLE) {
                        throw e;
                    }
                    // Its lease lapsed after the look.
                }
            }
            LockSupport.parkNanos(1_000_000);
        }
    }

    private static void say(RunOutcome outcome) {
        System.out.println(
                switch (outcome) {
                    case RunOutcome.GivenUp(var _, var reason) -> "GIVEN UP: " + reason;
                    case RunOutcome.Ended(var execution) ->
                        execution.instance().name() + " ENDED " + execution.status();
                });
    }
}
