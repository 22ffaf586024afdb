package dev.weighlock.app.prove.soak;

import dev.weighlock.app.prove.stand.ChunkPlace;
import dev.weighlock.app.prove.stand.Numbers;
import dev.weighlock.batch.JobParameters;
import dev.weighlock.batch.ParameterValue.StringValue;
import dev.weighlock.batch.flow.Job;
import dev.weighlock.batch.flow.TaskletStep;
import dev.weighlock.batch.partition.Partitioning;
import dev.weighlock.batch.step.StepContext;
import dev.weighlock.batch.tasklet.TaskletOutcome;
import dev.weighlock.query.backend.QueryBackend;
import dev.weighlock.query.backend.QueryHandle;
import dev.weighlock.query.backend.QueryRequest;
import dev.weighlock.query.backend.QueryRows;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The job of one cycle: partitions that write chunks, a query that spills, a step of its own. */
final class CycleJob {
    private static final int WORKERS = 2;
    private static final long CAP_BYTES = 64L << 20;
    /** A sort of more than its memory: the engine writes temporary files. */
    private static final String SPILLS =
            "SELECT count(*) FROM (SELECT i::VARCHAR || repeat('x', 60) x FROM range(400000) t(i) ORDER BY x LIMIT 399999)";

    private static final String BREAKS =
            "SELECT count(*) FROM (SELECT CASE WHEN i = 150000 THEN error('planted') ELSE i::VARCHAR END x"
                    + " FROM range(200000) t(i) ORDER BY x)";

    private final Shape shape;
    private final ChunkPlace place;
    private final QueryBackend queries;
    private final LongConsumer spilledBytes;
    private final Runnable besides;
    private final @Nullable Failure failure;
    private final CountDownLatch working = new CountDownLatch(1);

    /**
     * One attempt's job.
     *
     * @param spilledBytes is told of each query
     * @param besides is done by the last step
     * @param failure of this attempt; null for none
     */
    CycleJob(
            Shape shape,
            ChunkPlace place,
            QueryBackend queries,
            LongConsumer spilledBytes,
            Runnable besides,
            @Nullable Failure failure) {
        this.shape = shape;
        this.place = place;
        this.queries = queries;
        this.spilledBytes = spilledBytes;
        this.besides = besides;
        this.failure = failure;
    }

    static JobParameters parameters(String instance) {
        return JobParameters.NONE.with(Numbers.INSTANCE, new StringValue(instance));
    }

    Job job(String name) {
        List<String> keys = IntStream.range(0, shape.partitions())
                .mapToObj(i -> "part-" + i)
                .toList();
        return Job.named(name)
                .step(Numbers.step("load", place, shape.chunk(), this::reader)
                        .partitioned(Partitioning.keys(keys).withWorkers(WORKERS))
                        .build())
                .step(TaskletStep.of("query", step -> query()))
                .step(TaskletStep.of("last", this::last))
                .build();
    }

    /** A number that is none is refused by the column it goes to. */
    private Numbers.Reader reader(StepContext step) {
        boolean breaks =
                failure == Failure.WRITE && step.partition().orElseThrow().ordinal() == 1;
        return new Numbers.Reader(step, shape.numbers()) {
            private int read;

            @Override
            public @Nullable Long read() {
                if (breaks && ++read > shape.chunk()) {
                    return Numbers.REFUSED;
                }
                return super.read();
            }
        };
    }

    private TaskletOutcome query() throws InterruptedException {
        QueryRequest request = QueryRequest.select(failure == Failure.QUERY ? BREAKS : SPILLS, Map.of())
                .cap(CAP_BYTES);
        QueryHandle handle = queries.submit(request);
        try (QueryRows rows = handle.rows()) {
            rows.toList();
        } finally {
            Long temp = handle.await().tempBytes();
            spilledBytes.accept(temp == null ? 0 : temp);
        }
        return TaskletOutcome.COMPLETED;
    }

    private TaskletOutcome last(StepContext step) throws InterruptedException {
        besides.run();
        working.countDown();
        if (failure == Failure.BODY) {
            throw new IllegalStateException("planted");
        }
        if (failure == Failure.STOP) {
            return step.stopToken().await(shape.limit()) ? TaskletOutcome.STOPPED : TaskletOutcome.COMPLETED;
        }
        return TaskletOutcome.COMPLETED;
    }

    /** Waits until the last step works. */
    void awaitLast(Duration limit) throws InterruptedException {
        if (!working.await(limit.toNanos(), TimeUnit.NANOSECONDS)) {
            throw new IllegalStateException("the last step did not begin within " + limit);
        }
    }
}
