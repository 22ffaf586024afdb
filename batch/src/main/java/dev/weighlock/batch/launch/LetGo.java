package dev.weighlock.batch.launch;

import dev.weighlock.batch.BatchStatus;
import dev.weighlock.batch.ExitStatus;
import dev.weighlock.batch.FailureCategory;
import dev.weighlock.batch.FailureSummary;
import dev.weighlock.batch.JobExecution;
import dev.weighlock.batch.PartitionExecution;
import dev.weighlock.batch.PartitionStatus;
import dev.weighlock.batch.StepExecution;
import dev.weighlock.batch.repository.EnlistedWrite;
import dev.weighlock.batch.repository.JobChange;
import dev.weighlock.batch.repository.JobRepository;
import dev.weighlock.batch.repository.PartitionChange;
import dev.weighlock.batch.repository.StepChange;
import dev.weighlock.batch.run.JobRun;
import dev.weighlock.batch.run.RunOutcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Executions that this node let go of because the repository could not be reached, or its own proof of life had lapsed.
 * Its node lives, so nobody else would end them: when the repository answers again, what is still stored as active
 * becomes FAILED, as if the owner had died. What was taken over meanwhile is left alone.
 *
 * <p>Thread-safe. The monitor keeps one thread at settling, so that the last one, at the end of a shutdown, waits for
 * what the watch began; it guards nothing else.
 */
final class LetGo {
    private static final Logger LOG = LoggerFactory.getLogger(LetGo.class);
    private static final int PAGE = 1000;

    private final JobRepository repository;
    private final Queue<JobExecution> unsettled = new ConcurrentLinkedQueue<>();

    LetGo(JobRepository repository) {
        this.repository = repository;
    }

    void add(JobRun run) {
        if (run.outcome().orElse(null) instanceof RunOutcome.GivenUp(var last, var _)) {
            unsettled.add(last);
        }
    }

    /**
     * Tries each once; those that fail stay for the next time.
     *
     * @return what became FAILED by it
     */
    synchronized List<JobExecution> settle() {
        var failed = new ArrayList<JobExecution>();
        for (int left = unsettled.size(); left > 0 && repository.unfit().isEmpty(); left--) {
            var execution = unsettled.poll();
            if (execution != null && !trySettle(execution, failed)) {
                unsettled.add(execution);
            }
        }
        return failed;
    }

    private boolean trySettle(JobExecution last, List<JobExecution> failed) {
        try {
            repository
                    .execution(last.id())
                    .filter(stored -> stored.status().isActive() && stored.epoch() == last.epoch())
                    .map(this::fail)
                    .ifPresent(failed::add);
            return true;
        } catch (RuntimeException e) {
            LOG.warn("execution {} cannot be ended yet: {}", last.id(), e.toString());
            return false;
        }
    }

    private JobExecution fail(JobExecution execution) {
        var failure = new FailureSummary(FailureCategory.OWNER_LOST, "let-go-" + execution.id());
        for (var step : repository.steps(execution.id())) {
            if (step.status().isActive()) {
                fail(step, failure);
            }
        }
        var failed = repository.update(
                execution,
                new JobChange(
                        BatchStatus.FAILED,
                        ExitStatus.FAILED,
                        execution.context(),
                        Optional.of(failure),
                        Optional.of("its node could not reach the repository and let go of it")));
        LOG.warn("execution {} was let go of and is FAILED now", execution.id());
        return failed;
    }

    private void fail(StepExecution step, FailureSummary failure) {
        if (step.partitioned()) {
            repository.stopPlanned(step);
            failStarted(step, failure);
        }
        var change = new StepChange(
                BatchStatus.FAILED,
                ExitStatus.FAILED,
                step.counts(),
                step.context(),
                Optional.empty(),
                Optional.of(failure),
                step.diagnostics(),
                Optional.empty());
        repository.update(step, change, EnlistedWrite.NONE);
    }

    private void failStarted(StepExecution step, FailureSummary failure) {
        Optional<String> cursor = Optional.empty();
        do {
            var page = repository.partitions(step.id(), cursor, PAGE);
            page.items().stream()
                    .filter(partition -> partition.status() == PartitionStatus.STARTED)
                    .forEach(partition ->
                            repository.update(step, partition, failed(partition, failure), EnlistedWrite.NONE));
            cursor = page.next();
        } while (cursor.isPresent());
    }

    private static PartitionChange failed(PartitionExecution partition, FailureSummary failure) {
        return new PartitionChange(
                PartitionStatus.FAILED,
                ExitStatus.FAILED,
                partition.counts(),
                partition.context(),
                Optional.of(failure),
                Optional.empty(),
                Optional.empty());
    }
}
