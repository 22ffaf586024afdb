package dev.weighlock.batch.jdbc.crash;

import dev.weighlock.batch.BatchStatus;
import dev.weighlock.batch.ExecutionContext;
import dev.weighlock.batch.JobParameters;
import dev.weighlock.batch.chunk.ItemReader;
import dev.weighlock.batch.flow.ChunkStep;
import dev.weighlock.batch.flow.Job;
import dev.weighlock.batch.flow.TaskletStep;
import dev.weighlock.batch.jdbc.sqlite.SqliteRepository;
import dev.weighlock.batch.jdbc.target.Database;
import dev.weighlock.batch.jdbc.target.DatabaseSettings;
import dev.weighlock.batch.jdbc.target.JdbcWriter;
import dev.weighlock.batch.jdbc.target.RowLayout;
import dev.weighlock.batch.jdbc.target.WriteMode;
import dev.weighlock.batch.launch.LaunchResult;
import dev.weighlock.batch.launch.NodeRuntime;
import dev.weighlock.batch.partition.Partitioning;
import dev.weighlock.batch.run.RunOutcome;
import dev.weighlock.batch.step.PartitionScope;
import dev.weighlock.batch.step.StepContext;
import dev.weighlock.batch.tasklet.TaskletOutcome;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A job that writes numbers into a target, each exactly once. Arguments: repository file, target URL, partitions (0 for
 * none). Run in a JVM of its own to be killed, and in the test's to finish what was begun.
 */
final class CrashJob {
    static final int ITEMS = 40;

    private static final int CHUNK = 5;
    private static final Duration LONGEST_RUN = Duration.ofSeconds(60);

    private CrashJob() {}

    public static void main(String[] arguments) throws Exception {
        var status = run(Path.of(arguments[0]), arguments[1], Integer.parseInt(arguments[2]));
        System.out.println(status);
        System.exit(status == BatchStatus.COMPLETED ? 0 : 1);
    }

    /** Launches, restarts, or finds complete. */
    static BatchStatus run(Path repositoryFile, String url, int partitions) throws InterruptedException {
        try (var repository = SqliteRepository.open(repositoryFile);
                var target = Database.open(settings(url));
                var node = NodeRuntime.on(repository).start()) {
            return switch (node.launcher().launch(job(target, partitions), JobParameters.NONE)) {
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

    static DatabaseSettings settings(String url) {
        return new DatabaseSettings(
                "target", url, () -> Optional.of("postgres"), () -> Optional.of("any"), Optional.empty(), true);
    }

    private static Job job(Database target, int partitions) {
        var layout = new RowLayout("item", List.of("id"), WriteMode.INSERT, List.of());
        var step = ChunkStep.<Long>copying("load", Numbers::of, context -> new JdbcWriter<Long>(layout, List::of))
                .size(CHUNK)
                .delivery(target.delivery());
        if (partitions > 0) {
            var keys = IntStream.range(0, partitions).mapToObj(i -> "p" + i).toList();
            step.partitioned(Partitioning.keys(keys).withWorkers(2));
        }
        // A second step, so that a decision is recorded on the way to it.
        return Job.named("crash")
                .step(step.build())
                .step(TaskletStep.of("done", context -> TaskletOutcome.COMPLETED))
                .build();
    }

    /** The numbers of one partition, from the stored position on. */
    private static final class Numbers implements ItemReader<Long> {
        private final long first;
        private long read;

        private Numbers(long first) {
            this.first = first;
        }

        static Numbers of(StepContext context) {
            return new Numbers(context.partition().map(PartitionScope::ordinal).orElse(0) * (long) ITEMS);
        }

        @Override
        public void open(ExecutionContext context, StepContext step) {
            read = context.longValue("read", 0);
        }

        @Override
        public @Nullable Long read() {
            return read == ITEMS ? null : first + read++;
        }

        @Override
        public ExecutionContext update(ExecutionContext context) {
            return context.with("read", read);
        }
    }
}
