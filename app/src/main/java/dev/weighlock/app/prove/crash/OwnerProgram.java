package dev.weighlock.app.prove.crash;

import dev.weighlock.app.prove.stand.ChunkPlace;
import dev.weighlock.app.prove.stand.Numbers;
import dev.weighlock.app.prove.stand.Stand;
import dev.weighlock.app.prove.stand.Target;
import dev.weighlock.app.prove.stand.Targets;
import dev.weighlock.batch.BatchStatus;
import dev.weighlock.batch.JobParameters;
import dev.weighlock.batch.ParameterValue.StringValue;
import dev.weighlock.batch.chunk.ItemReader;
import dev.weighlock.batch.flow.Job;
import dev.weighlock.batch.flow.TaskletStep;
import dev.weighlock.batch.launch.LaunchResult;
import dev.weighlock.batch.launch.NodeRuntime;
import dev.weighlock.batch.partition.Partitioning;
import dev.weighlock.batch.repository.JobRepository;
import dev.weighlock.batch.run.RunOutcome;
import dev.weighlock.batch.step.StepContext;
import dev.weighlock.batch.tasklet.TaskletOutcome;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;

/** The process that is killed: runs one instance, or goes on with it, to its end. */
final class OwnerProgram {
    private static final int WORKERS = 2;
    private static final int POOL = 4;

    /** Exit codes; any other one is that of a process that broke. */
    static final int COMPLETED = 0;

    static final int STOPPED = 3;

    private static final int BROKE = 1;

    private OwnerProgram() {}

    /**
     * What it is told, as words.
     *
     * @param partitions 0 for a step without
     * @param stopped whether the job asks for its own stop when it has read two chunks somewhere
     */
    record Told(
            String url,
            Path folder,
            String job,
            String instance,
            int numbers,
            int chunk,
            int partitions,
            boolean stopped) {
        /** The same without a stop. */
        Told toTheEnd() {
            return new Told(url, folder, job, instance, numbers, chunk, partitions, false);
        }

        /** How many it writes in all. */
        long rows() {
            return (long) numbers * Math.max(1, partitions);
        }

        List<String> words() {
            return List.of(
                    url, folder.toString(), job, instance, "" + numbers, "" + chunk, "" + partitions, "" + stopped);
        }

        static Told of(String... words) {
            return new Told(
                    words[0],
                    Path.of(words[1]),
                    words[2],
                    words[3],
                    Integer.parseInt(words[4]),
                    Integer.parseInt(words[5]),
                    Integer.parseInt(words[6]),
                    Boolean.parseBoolean(words[7]));
        }
    }

    /** What reads the numbers. */
    @FunctionalInterface
    interface Source {
        ItemReader<Long> of(StepContext step, long numbers);
    }

    public static void main(String[] words) throws InterruptedException {
        System.exit(run(Told.of(words), Numbers.Reader::new));
    }

    /** Its exit code. */
    static int run(Told told, Source source) throws InterruptedException {
        Target target = Targets.named(told.url(), System.getenv(), Path.of("").toAbsolutePath(), told.folder());
        try (JobRepository repository = target.open(POOL);
                ChunkPlace place = target.chunks();
                NodeRuntime node = Stand.nodeOn(repository).start()) {
            JobParameters parameters = JobParameters.NONE.with(Numbers.INSTANCE, new StringValue(told.instance()));
            BatchStatus status = switch (node.launcher()
                    .launch(job(told, place, told.stopped() ? stopping(told, node, source) : source), parameters)) {
                case LaunchResult.Launched(var run) -> ended(run.await());
                case LaunchResult.AlreadyComplete(var winner) -> winner.status();
                case LaunchResult refused -> throw new IllegalStateException("not launched: " + refused);
            };
            System.err.println(status);
            return switch (status) {
                case COMPLETED -> COMPLETED;
                case STOPPED -> STOPPED;
                default -> BROKE;
            };
        }
    }

    private static Source stopping(Told told, NodeRuntime node, Source source) {
        return (step, numbers) -> new StoppingReader(source.of(step, numbers), step, 2 * told.chunk(), node.operator());
    }

    private static BatchStatus ended(RunOutcome outcome) {
        return switch (outcome) {
            case RunOutcome.Ended(var execution) -> {
                execution.diagnostics().ifPresent(System.err::println);
                yield execution.status();
            }
            case RunOutcome.GivenUp lost -> throw new IllegalStateException("the run was given up: " + lost);
        };
    }

    /** A second step, so that a decision is recorded on the way to it. */
    private static Job job(Told told, ChunkPlace place, Source source) {
        var load = Numbers.step("load", place, told.chunk(), step -> source.of(step, told.numbers()));
        if (told.partitions() > 0) {
            List<String> keys = IntStream.range(0, told.partitions())
                    .mapToObj(i -> "part-" + i)
                    .toList();
            load.partitioned(Partitioning.keys(keys).withWorkers(WORKERS));
        }
        return Job.named(told.job())
                .step(load.build())
                .step(TaskletStep.of("after", step -> TaskletOutcome.COMPLETED))
                .build();
    }
}
