package dev.weighlock.app.prove.crash;

import dev.weighlock.app.prove.stand.Findings;
import dev.weighlock.app.prove.stand.Numbers;
import dev.weighlock.batch.BatchStatus;
import dev.weighlock.batch.FailureCategory;
import dev.weighlock.batch.JobExecution;
import dev.weighlock.batch.JobName;
import dev.weighlock.batch.JobParameters;
import dev.weighlock.batch.ParameterValue.StringValue;
import dev.weighlock.batch.PartitionExecution;
import dev.weighlock.batch.PartitionStatus;
import dev.weighlock.batch.StepCounts;
import dev.weighlock.batch.StepExecution;
import dev.weighlock.batch.repository.JobRepository;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Holds what the record says of an instance against what was done to it, and against its rows.
 *
 * @param about begins each violation
 */
record Judge(Findings findings, String about, JobRepository repository) {
    private static final int PAGE = 500;

    void judge(OwnerProgram.Told told, int kills, Numbers.Written written) {
        long numbers = told.rows();
        findings.require(
                written.isEachOnce(numbers),
                about + numbers + " rows should be there, each once, and there are " + written);
        List<JobExecution> attempts = attempts(told);
        findings.require(!attempts.isEmpty(), about + "there is no execution of the instance");
        for (int i = 0; i < attempts.size(); i++) {
            judge(attempts.get(i), i == attempts.size() - 1);
        }
        findings.require(
                !told.stopped()
                        || attempts.stream()
                                .limit(Math.max(0, attempts.size() - 1))
                                .allMatch(attempt -> attempt.stop().request().isPresent()),
                about + "the request to stop a killed attempt is not on record any more");
        findings.require(attempts.size() <= kills + 1, about + kills + " kills made " + attempts.size() + " attempts");
        StepCounts counts = attempts.stream()
                .flatMap(attempt -> repository.steps(attempt.id()).stream())
                .map(this::counts)
                .reduce(StepCounts.ZERO, StepCounts::plus);
        findings.require(
                counts.written() == numbers && counts.read() == numbers,
                about + "the attempts' counts say that " + counts.read() + " were read and " + counts.written()
                        + " written of " + numbers);
    }

    /** The oldest first. */
    private List<JobExecution> attempts(OwnerProgram.Told told) {
        JobName job = new JobName(told.job());
        String identity = JobParameters.NONE
                .with(Numbers.INSTANCE, new StringValue(told.instance()))
                .identity();
        long instance = repository.instance(job, identity).orElseThrow().id();
        List<JobExecution> attempts = new ArrayList<>();
        Optional<String> cursor = Optional.empty();
        do {
            var page = repository.executions(Optional.of(job), cursor, PAGE);
            page.items().stream()
                    .filter(execution -> execution.instance().id() == instance)
                    .forEach(attempts::add);
            cursor = page.next();
        } while (cursor.isPresent());
        return attempts.reversed();
    }

    private void judge(JobExecution attempt, boolean last) {
        if (last) {
            findings.require(
                    attempt.status() == BatchStatus.COMPLETED,
                    about + "the last attempt is " + attempt.status() + ", not COMPLETED");
        } else {
            boolean lost = attempt.status() == BatchStatus.FAILED
                    && attempt.failure()
                            .filter(failure -> failure.category() == FailureCategory.OWNER_LOST)
                            .isPresent();
            findings.require(
                    lost,
                    about + "attempt " + attempt.attempt() + ", whose process was killed, is " + attempt.status()
                            + " and not FAILED as OWNER_LOST");
        }
        for (StepExecution step : repository.steps(attempt.id())) {
            findings.require(
                    step.status() != BatchStatus.STARTED,
                    about + "step " + step.name() + " of attempt " + attempt.attempt() + " is still begun");
            List<PartitionExecution> partitions = partitions(step);
            findings.require(
                    partitions.stream()
                            .map(PartitionExecution::status)
                            .noneMatch(
                                    status -> status == PartitionStatus.STARTED || status == PartitionStatus.PLANNED),
                    about + "a partition of attempt " + attempt.attempt() + " is still planned or begun");
            findings.require(
                    !last || partitions.stream().allMatch(partition -> partition.status() == PartitionStatus.COMPLETED),
                    about + "a partition of the last attempt is not COMPLETED");
        }
    }

    /** Of this attempt alone: what an earlier one completed is carried over with its counts. */
    private StepCounts counts(StepExecution step) {
        return !step.partitioned()
                ? step.counts()
                : partitions(step).stream()
                        .filter(partition -> !partition.carriedOver())
                        .map(PartitionExecution::counts)
                        .reduce(StepCounts.ZERO, StepCounts::plus);
    }

    private List<PartitionExecution> partitions(StepExecution step) {
        List<PartitionExecution> partitions = new ArrayList<>();
        Optional<String> cursor = Optional.empty();
        do {
            var page = repository.partitions(step.id(), cursor, PAGE);
            partitions.addAll(page.items());
            cursor = page.next();
        } while (cursor.isPresent());
        return partitions;
    }
}
