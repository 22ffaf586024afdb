package dev.weighlock.app.wiring;

import dev.weighlock.batch.FailureCategory;
import dev.weighlock.batch.JobExecution;
import dev.weighlock.batch.PartitionExecution;
import dev.weighlock.batch.StepExecution;
import dev.weighlock.batch.repository.JobRepository;
import dev.weighlock.batch.repository.Page;
import dev.weighlock.jobs.compile.StoredJobFiles;
import dev.weighlock.jobs.output.OutputLeftovers;
import dev.weighlock.jobs.output.WholeFile;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** The half-written files of executions whose owner died: fenced by now, they are nobody's. */
final class UnfinishedOutputs {
    private static final int PAGE = 1_000;

    private UnfinishedOutputs() {}

    /** @param dead as it was before it was recovered, with the epoch of its owner */
    static void remove(JobRepository repository, JobExecution dead) {
        UUID id = repository.id();
        List<String> owners = new ArrayList<>();
        for (StepExecution step : repository.steps(dead.id())) {
            if (isLost(step)) {
                owners.add(owner(id, step, ""));
                lostPartitions(repository, step).forEach(partition -> owners.add(owner(id, step, partition.key())));
            }
        }
        repository
                .definition(dead.definitionDigest())
                .flatMap(StoredJobFiles::file)
                .filter(_ -> !owners.isEmpty())
                .ifPresent(file -> OutputLeftovers.remove(file.writeDirectories(), owners, dead.epoch()));
    }

    private static String owner(UUID id, StepExecution step, String partition) {
        return WholeFile.owner(id, step.instanceId(), step.name().value(), partition);
    }

    private static boolean isLost(StepExecution step) {
        return step.failure()
                .filter(failure -> failure.category() == FailureCategory.OWNER_LOST)
                .isPresent();
    }

    private static List<PartitionExecution> lostPartitions(JobRepository repository, StepExecution step) {
        List<PartitionExecution> lost = new ArrayList<>();
        Optional<String> cursor = Optional.empty();
        do {
            Page<PartitionExecution> page = repository.partitions(step.id(), cursor, PAGE);
            page.items().stream()
                    .filter(partition -> partition
                            .failure()
                            .filter(failure -> failure.category() == FailureCategory.OWNER_LOST)
                            .isPresent())
                    .forEach(lost::add);
            cursor = page.next();
        } while (cursor.isPresent());
        return lost;
    }
}
