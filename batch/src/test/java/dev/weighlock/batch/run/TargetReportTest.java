package dev.weighlock.batch.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weighlock.batch.BatchError;
import dev.weighlock.batch.BatchException;
import dev.weighlock.batch.BatchStatus;
import dev.weighlock.batch.JobParameters;
import dev.weighlock.batch.chunk.Delivery;
import dev.weighlock.batch.chunk.ItemReader;
import dev.weighlock.batch.flow.ChunkStep;
import dev.weighlock.batch.flow.Job;
import dev.weighlock.batch.launch.LaunchResult;
import dev.weighlock.batch.launch.NodeRuntime;
import dev.weighlock.batch.repository.InMemoryJobRepository;
import dev.weighlock.batch.repository.JobRepository;
import dev.weighlock.batch.testing.MemoryTarget;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the repository is told of chunks that are committed in a target is for people only. */
class TargetReportTest {
    private final InMemoryJobRepository stored = new InMemoryJobRepository();
    private final MemoryTarget target = new MemoryTarget();
    private final AtomicInteger reports = new AtomicInteger();

    private JobRepository refusingReports(BatchError error) {
        return (JobRepository) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {JobRepository.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("commitChunk")) {
                        reports.incrementAndGet();
                        throw new BatchException(error, "the report is refused");
                    }
                    try {
                        return method.invoke(stored, arguments);
                    } catch (InvocationTargetException e) {
                        throw Objects.requireNonNull(e.getCause());
                    }
                });
    }

    /** Reads until a report was tried, and a little further. */
    private Job job() {
        var step = ChunkStep.<Long>copying("copy", context -> new UntilReported(), Items.toTarget(number -> {}))
                .delivery(Delivery.withTarget(context -> target))
                .size(1);
        return Job.named("reported").step(step.build()).build();
    }

    private final class UntilReported implements ItemReader<Long> {
        private long read;
        private int after;

        @Override
        public @Nullable Long read() {
            if (reports.get() > 0) {
                after++;
            }
            return after > 3 ? null : ++read;
        }
    }

    private RunOutcome run(BatchError refusal) throws InterruptedException {
        try (var node = NodeRuntime.on(refusingReports(refusal)).start()) {
            var launched = (LaunchResult.Launched) node.launcher().launch(job(), JobParameters.NONE);
            return launched.run().await(TestNode.LONG).orElseThrow();
        }
    }

    @Test
    void report_toARepositoryOutOfReach_isLeftOutAndTheStepGoesOn() throws Exception {
        var outcome = run(BatchError.REPOSITORY_UNAVAILABLE);

        assertThat(outcome).isInstanceOf(RunOutcome.Ended.class);
        var ended = ((RunOutcome.Ended) outcome).execution();
        assertThat(ended.status()).isEqualTo(BatchStatus.COMPLETED);
        var step = stored.steps(ended.id()).getFirst();
        assertThat(step.counts().written()).isEqualTo(target.rows().size());
        assertThat(step.counts().rollbacks()).isZero();
        assertThat(step.diagnostics().orElseThrow()).containsOnlyOnce("the report is refused");
    }

    @ParameterizedTest
    @EnumSource(
            value = BatchError.class,
            names = {"FENCED", "STALE_VERSION", "COMMIT_OUTCOME_UNKNOWN"})
    void report_byWhichTheOwnerLearnsThatItIsOneNoMore_letsTheRunGo(BatchError refusal) throws Exception {
        assertThat(run(refusal)).isInstanceOf(RunOutcome.GivenUp.class);

        assertThat(reports).hasValue(1);
        assertThat(target.openTransactions()).isZero();
    }
}
