package dev.weighlock.batch.jdbc.crash;

import dev.weighlock.batch.JobParameters;
import dev.weighlock.batch.MaxConcurrent.Otherwise;
import dev.weighlock.batch.ParameterValue.LongValue;
import dev.weighlock.batch.flow.Job;
import dev.weighlock.batch.flow.TaskletStep;
import dev.weighlock.batch.launch.LaunchResult;
import dev.weighlock.batch.launch.NodeRuntime;
import dev.weighlock.batch.launch.NodeSettings;
import dev.weighlock.batch.run.RunningJob;
import dev.weighlock.batch.tasklet.TaskletOutcome;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * A process that starts a job of which one execution may run at a time, once for each number in the order given, and says
 * what became of each. An execution works until a file with its number appears. Arguments: repository, folder of those
 * files, numbers.
 */
final class QueuedJob {
    static final String NAME = "queued";
    static final String NUMBER = "number";

    /** Far longer than any test waits: nothing here decides by time. */
    private static final Duration LONG = Duration.ofMinutes(10);

    private QueuedJob() {}

    public static void main(String[] arguments) throws Exception {
        var job = job(Path.of(arguments[1]));
        try (var repository = CrashPlace.parse(arguments[0]).open();
                var node = NodeRuntime.on(repository)
                        .settings(NodeSettings.DEFAULT.withPoll(Duration.ofMillis(100)))
                        .start();
                var threads = Executors.newCachedThreadPool()) {
            List<Future<?>> ends = new ArrayList<>();
            for (var number : Arrays.asList(arguments).subList(2, arguments.length)) {
                var result = node.launcher().launch(job, number(Long.parseLong(number)));
                ends.add(threads.submit(() -> {
                    System.out.println(number + " " + end(result));
                    return null;
                }));
            }
            for (var end : ends) {
                end.get();
            }
        }
    }

    private static String end(LaunchResult result) throws InterruptedException {
        return switch (result) {
            case LaunchResult.Launched(var run) -> end(run);
            case LaunchResult.Queued(var waiting) -> {
                try (waiting) {
                    var turn = waiting.await(LONG).orElseThrow();
                    yield turn instanceof LaunchResult.Launched(var run) ? end(run) : word(turn);
                }
            }
            default -> word(result);
        };
    }

    private static String word(LaunchResult result) {
        return result.getClass().getSimpleName();
    }

    private static String end(RunningJob run) throws InterruptedException {
        var _ = run.await(LONG).orElseThrow();
        return run.execution().status().name();
    }

    static JobParameters number(long number) {
        return JobParameters.NONE.with(NUMBER, new LongValue(number));
    }

    private static Job job(Path gates) {
        return Job.named(NAME)
                .maxConcurrent(1, Otherwise.QUEUE)
                .step(TaskletStep.of("work", step -> {
                    var number = step.parameters().value(NUMBER).orElseThrow().text();
                    while (!Files.exists(gates.resolve(number))) {
                        if (step.stopToken().await(Duration.ofMillis(5))) {
                            return TaskletOutcome.STOPPED;
                        }
                    }
                    return TaskletOutcome.COMPLETED;
                }))
                .build();
    }
}
