package dev.weighlock.app.view;

import dev.weighlock.batch.PartitionExecution;
import dev.weighlock.batch.StepCounts;
import dev.weighlock.batch.StepExecution;
import dev.weighlock.batch.repository.JobRepository;
import dev.weighlock.batch.repository.Page;
import dev.weighlock.batch.repository.PartitionTotals;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A step of an execution with what it did.
 *
 * @param totals over all partitions, of a partitioned step
 * @param partitions the first ones, in plan order
 * @param evidence what the step recorded about its queries
 * @param partitionEvidence the same of each partition in {@code partitions}
 */
record StepView(
        StepExecution step,
        Optional<PartitionTotals> totals,
        List<PartitionExecution> partitions,
        boolean morePartitions,
        Optional<Evidence> evidence,
        List<Evidence> partitionEvidence) {
    private static final int PAGE = 500;

    static StepView read(JobRepository repository, StepExecution step, int mostPartitions) {
        List<PartitionExecution> partitions = new ArrayList<>();
        boolean more = step.partitioned() && readPartitions(repository, step, mostPartitions, partitions);
        List<Evidence> partitionEvidence = partitions.stream()
                .flatMap(partition -> evidence(
                        step.name().value() + "/" + partition.key(), repository.partitionEvidence(partition.id())))
                .toList();
        return new StepView(
                step,
                step.partitioned() ? Optional.of(repository.totals(step)) : Optional.empty(),
                List.copyOf(partitions),
                more,
                evidence(step.name().value(), repository.stepEvidence(step.id()))
                        .findFirst(),
                partitionEvidence);
    }

    /** Fills {@code into}; tells whether there are more than {@code most}. */
    private static boolean readPartitions(
            JobRepository repository, StepExecution step, int most, List<PartitionExecution> into) {
        Optional<String> cursor = Optional.empty();
        do {
            Page<PartitionExecution> page = repository.partitions(step.id(), cursor, Math.min(PAGE, most));
            for (PartitionExecution partition : page.items()) {
                if (into.size() == most) {
                    return true;
                }
                into.add(partition);
            }
            cursor = page.next();
        } while (cursor.isPresent() && into.size() < most);
        return cursor.isPresent();
    }

    private static Stream<Evidence> evidence(String label, Optional<String> json) {
        return json.map(text -> Evidence.parse(label, text)).stream();
    }

    /** The step's own counts, or the sum over its partitions. */
    StepCounts counts() {
        return totals.map(PartitionTotals::counts)
                .filter(counts -> !counts.equals(StepCounts.ZERO))
                .orElse(step.counts());
    }

    List<QueryAccount> queries() {
        return Stream.concat(evidence.stream(), partitionEvidence.stream())
                .flatMap(one -> one.queries().stream())
                .toList();
    }

    Map<String, @Nullable Object> document() {
        Map<String, @Nullable Object> document = Documents.step(step);
        evidence.ifPresent(one -> document.put("evidence", one.document()));
        totals.ifPresent(all -> {
            document.put("partition_totals", Documents.totals(all));
            document.put(
                    "partitions", partitions.stream().map(Documents::partition).toList());
            document.put(
                    "partition_evidence",
                    partitionEvidence.stream().map(Evidence::document).toList());
        });
        return document;
    }
}
