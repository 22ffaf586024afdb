package dev.weighlock.app.crash;

import dev.weighlock.batch.BatchStatus;
import dev.weighlock.batch.PartitionExecution;
import dev.weighlock.batch.PartitionStatus;
import dev.weighlock.batch.StepExecution;
import dev.weighlock.batch.jdbc.sqlite.SqliteRepository;
import dev.weighlock.batch.repository.JobRepository;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What the repository says, read as it is: nobody's death is looked into.
 *
 * @param file the repository's
 */
record ShopRecord(Path file) {
    private static final int MANY = 100;

    BatchStatus status(long execution) {
        try (JobRepository repository = SqliteRepository.open(file)) {
            return repository.execution(execution).orElseThrow().status();
        }
    }

    boolean isEmpty() {
        try (JobRepository repository = SqliteRepository.open(file)) {
            return repository
                    .executions(Optional.empty(), Optional.empty(), MANY)
                    .items()
                    .isEmpty();
        }
    }

    List<StepExecution> steps(long execution) {
        try (JobRepository repository = SqliteRepository.open(file)) {
            return repository.steps(execution);
        }
    }

    /** In plan order. */
    List<PartitionStatus> partitions(long execution, String step) {
        try (JobRepository repository = SqliteRepository.open(file)) {
            return repository.steps(execution).stream()
                    .filter(one -> one.name().value().equals(step))
                    .flatMap(one -> partitions(repository, one).stream())
                    .map(PartitionExecution::status)
                    .toList();
        }
    }

    /** Step and key of each partition that an execution itself completed, over executions 1 to {@code last}; sorted. */
    List<String> completed(long last) {
        List<String> completed = new ArrayList<>();
        try (JobRepository repository = SqliteRepository.open(file)) {
            for (long execution = 1; execution <= last; execution++) {
                for (StepExecution step : repository.steps(execution)) {
                    partitions(repository, step).stream()
                            .filter(one -> one.status() == PartitionStatus.COMPLETED && !one.carriedOver())
                            .forEach(one -> completed.add(step.name().value() + "/" + one.key()));
                }
            }
        }
        return completed.stream().sorted().toList();
    }

    private static List<PartitionExecution> partitions(JobRepository repository, StepExecution step) {
        return repository.partitions(step.id(), Optional.empty(), MANY).items();
    }
}
