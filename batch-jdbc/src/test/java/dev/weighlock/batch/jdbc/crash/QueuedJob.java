package dev.weighlock.batch.jdbc.operate;

import dev.weighlock.batch.JobParameters;
import dev.weighlock.batch.MaxConcurrent.Otherwise;
import dev.weighlock.batch.ParameterValue.LongValue;
import dev.weighlock.batch.flow.Job;
import dev.weighlock.batch.flow.TaskletStep;
import dev.weighlock.batch.jdbc.sqlite.SqliteRepository;
import dev.weighlock.batch.launch.LaunchResult;
import dev.weighlock.batch.launch.NodeRuntime;
import dev.weighlock.batch.launch.NodeSettings;
import dev.weighlock.batch.tasklet.TaskletOutcome;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/**
 * A job of which one execution may run at a time; it works until a file with its number appears. As a process of its
 * own it runs number 1 and queues number 5. Arguments: repository file, folder of those files.
 */
final class QueuedJob {
    static final Duration LONG = Duration.ofSeconds(60);

    private QueuedJob() {}

    public static void main(String[] arguments) throws Exception {
        try (var repository = SqliteRepository.open(Path.of(arguments[0]));
                var node = node(repository)) {
            var job = job(Path.of(arguments[1]));
            var run = ((LaunchResult.Launched) node.launcher().launch(job, number(1))).run();
            var waiting = ((LaunchResult.Queued) node.launcher().launch(job, number(5))).waiting();
            System.out.println("running " + run.executionId() + ", waiting "
                    + waiting.request().name());
            waiting.await(LONG);
        }
    }

    static NodeRuntime node(SqliteRepository repository) {
        return NodeRuntime.on(repository)
                .settings(NodeSettings.DEFAULT.withPoll(Duration.ofMillis(100)))
                .start();
    }

    static JobParameters number(long number) {
        return JobParameters.NONE.with("number", new LongValue(number));
    }

    static Job job(Path gates) {
        return Job.named("queued")
                .maxConcurrent(1, Otherwise.QUEUE)
                .step(TaskletStep.named("work", step -> {
                            var number = step.parameters()
                                    .value("number")
                                    .orElseThrow()
                                    .text();
                            while (!Files.exists(gates.resolve(number))) {
                                if (step.stopToken().await(Duration.ofMillis(5))) {
                                    return TaskletOutcome.STOPPED;
                                }
                            }
                            return TaskletOutcome.COMPLETED;
                        })
                        .build())
                .build();
    }
}
