package dev.weighlock.batch.jdbc.crash;

import dev.weighlock.batch.flow.Job;
import dev.weighlock.batch.flow.TaskletStep;
import dev.weighlock.batch.jdbc.sqlite.SqliteRepository;
import dev.weighlock.batch.launch.JobDefinitions;
import dev.weighlock.batch.launch.LaunchOptions;
import dev.weighlock.batch.launch.LaunchResult;
import dev.weighlock.batch.launch.NodeRuntime;
import dev.weighlock.batch.tasklet.Tasklet;
import dev.weighlock.batch.tasklet.TaskletOutcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A job of one tasklet that hears no stop, and, as a process of its own, an operator who stops it and cannot wait. */
final class DeafJob {
    static final String REPOSITORY = "repository.db";
    /** What the bodies did, a line each. */
    static final String BODIES = "bodies";
    /** What the operator was told, a line each. */
    static final String ANSWERS = "answers";

    private static final int EVERY_MILLIS = 100;

    private DeafJob() {}

    static Job of(Tasklet body) {
        return Job.named("deaf").step(TaskletStep.of("deaf", body)).build();
    }

    static void tell(Path file, String line) throws IOException {
        Files.writeString(file, line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    static List<String> told(Path file) throws IOException {
        return Files.exists(file) ? Files.readAllLines(file) : List.of();
    }

    /** Argument: the folder. Asks for a stop of execution 1, then for a restart until there is one. */
    public static void main(String[] arguments) throws Exception {
        var folder = Path.of(arguments[0]);
        var second = of(context -> {
            tell(folder.resolve(BODIES), "begin " + context.jobAttempt());
            tell(folder.resolve(BODIES), "end " + context.jobAttempt());
            return TaskletOutcome.COMPLETED;
        });
        try (var repository = SqliteRepository.open(folder.resolve(REPOSITORY));
                var node = NodeRuntime.on(repository)
                        .definitions(JobDefinitions.of(second))
                        .start()) {
            node.operator().stop(1, "an operator who cannot wait");
            var answer = node.launcher().restart(1, LaunchOptions.DEFAULT);
            while (answer instanceof LaunchResult.AlreadyRunning(var winner)) {
                tell(folder.resolve(ANSWERS), "execution " + winner.id() + " is " + winner.status());
                var _ = new CountDownLatch(1).await(EVERY_MILLIS, TimeUnit.MILLISECONDS);
                answer = node.launcher().restart(1, LaunchOptions.DEFAULT);
            }
            ((LaunchResult.Launched) answer).run().await();
        }
    }
}
