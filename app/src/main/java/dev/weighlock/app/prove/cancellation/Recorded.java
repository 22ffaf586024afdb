package dev.weighlock.app.prove.cancellation;

import dev.weighlock.app.prove.stand.Bodies;
import dev.weighlock.app.prove.stand.Bodies.Body;
import dev.weighlock.batch.JobExecution;
import dev.weighlock.batch.PartitionExecution;
import dev.weighlock.batch.PartitionStatus;
import dev.weighlock.batch.StepExecution;
import dev.weighlock.batch.repository.JobRepository;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * What the database says of one attempt.
 *
 * @param bodies what its workers said of themselves
 */
record Recorded(
        JobExecution execution, List<StepExecution> steps, List<PartitionExecution> partitions, List<Body> bodies) {
    private static final int PAGE = 1000;

    static Recorded read(JobRepository repository, Bodies bodies, long execution) throws SQLException {
        List<StepExecution> steps = repository.steps(execution);
        List<PartitionExecution> partitions = new ArrayList<>();
        for (StepExecution step : steps) {
            Optional<String> cursor = Optional.empty();
            do {
                var page = repository.partitions(step.id(), cursor, PAGE);
                partitions.addAll(page.items());
                cursor = page.next();
            } while (cursor.isPresent());
        }
        return new Recorded(repository.execution(execution).orElseThrow(), steps, partitions, bodies.of(execution));
    }

    Set<String> completed() {
        return partitions.stream()
                .filter(partition -> partition.status() == PartitionStatus.COMPLETED)
                .map(PartitionExecution::key)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    Optional<PartitionExecution> partition(String key) {
        return partitions.stream()
                .filter(partition -> partition.key().equals(key))
                .findFirst();
    }

    /** How many bodies had not ended by their own word. */
    long running() {
        return bodies.stream().filter(body -> body.endedMicros().isEmpty()).count();
    }

    Map<String, Long> byStatus() {
        return partitions.stream()
                .collect(Collectors.groupingBy(
                        partition -> partition.status().name(), TreeMap::new, Collectors.counting()));
    }
}
