package dev.weighlock.batch.testkit.contract;

import dev.weighlock.batch.BatchStatus;
import dev.weighlock.batch.ExecutionContext;
import dev.weighlock.batch.ExitStatus;
import dev.weighlock.batch.FailureCategory;
import dev.weighlock.batch.FailureSummary;
import dev.weighlock.batch.JobExecution;
import dev.weighlock.batch.JobName;
import dev.weighlock.batch.JobParameters;
import dev.weighlock.batch.ParameterValue;
import dev.weighlock.batch.PartitionStatus;
import dev.weighlock.batch.StepCounts;
import dev.weighlock.batch.StepName;
import dev.weighlock.batch.StoredDefinition;
import dev.weighlock.batch.repository.AuditEntry;
import dev.weighlock.batch.repository.FirstStep;
import dev.weighlock.batch.repository.JobChange;
import dev.weighlock.batch.repository.LaunchRequest;
import dev.weighlock.batch.repository.NodeInfo;
import dev.weighlock.batch.repository.PartitionChange;
import dev.weighlock.batch.repository.PlannedPartition;
import dev.weighlock.batch.repository.StepChange;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.stream.IntStream;

/** Values that tests hand to a repository. */
final class Samples {
    static final AuditEntry AUDIT = new AuditEntry("test", "somebody@here", "because");
    static final FailureSummary FAILURE = new FailureSummary(FailureCategory.STEP_FAILED, "f-1");
    static final ExecutionContext CONTEXT = ExecutionContext.of(Map.of("position", 7L));

    private Samples() {}

    static NodeInfo node() {
        return new NodeInfo(
                UUID.randomUUID().toString(),
                "localhost",
                ProcessHandle.current().pid());
    }

    static JobParameters day(String day) {
        return JobParameters.NONE.with("day", new ParameterValue.StringValue(day));
    }

    static StoredDefinition definition(String job) {
        return new StoredDefinition("%064x".formatted(job.hashCode()), new JobName(job), "java/1", "job " + job);
    }

    static LaunchRequest request(String job, JobParameters parameters, NodeInfo node, OptionalLong previous) {
        return new LaunchRequest(
                new JobName(job), parameters, definition(job), "fingerprint", previous, node.id(), List.of());
    }

    /** Begins step {@code load} at once, where that is possible. */
    static LaunchRequest beginning(String job, NodeInfo node, OptionalLong previous) {
        return new LaunchRequest(
                new JobName(job),
                day("1"),
                definition(job),
                "fingerprint",
                previous,
                node.id(),
                List.of(),
                Optional.empty(),
                Optional.of(new FirstStep(new StepName("load"), true)));
    }

    static LaunchRequest restart(JobExecution last, NodeInfo node) {
        return request(last.instance().name().value(), last.parameters(), node, OptionalLong.of(last.id()));
    }

    static JobChange to(BatchStatus status) {
        return to(status, ExecutionContext.EMPTY);
    }

    static JobChange to(BatchStatus status, ExecutionContext context) {
        return new JobChange(status, exit(status), context, failure(status == BatchStatus.FAILED), Optional.empty());
    }

    static StepChange stepTo(BatchStatus status) {
        return stepTo(status, StepCounts.ZERO, ExecutionContext.EMPTY);
    }

    static StepChange stepTo(BatchStatus status, StepCounts counts, ExecutionContext context) {
        return new StepChange(
                status,
                exit(status),
                counts,
                context,
                Optional.empty(),
                failure(status == BatchStatus.FAILED),
                Optional.empty(),
                Optional.empty());
    }

    static PartitionChange partitionTo(PartitionStatus status, StepCounts counts) {
        return new PartitionChange(
                status,
                new ExitStatus(status.name()),
                counts,
                CONTEXT,
                failure(status == PartitionStatus.FAILED),
                Optional.empty(),
                Optional.empty());
    }

    private static ExitStatus exit(BatchStatus status) {
        return switch (status) {
            case STARTING, STARTED, STOPPING, UNKNOWN, ABANDONED -> ExitStatus.UNKNOWN;
            case STOPPED -> ExitStatus.STOPPED;
            case FAILED -> ExitStatus.FAILED;
            case COMPLETED -> ExitStatus.COMPLETED;
        };
    }

    private static Optional<FailureSummary> failure(boolean failed) {
        return failed ? Optional.of(FAILURE) : Optional.empty();
    }

    /** {@code items} items read, processed and written in {@code commits} chunks. */
    static StepCounts counts(long items, long commits) {
        return new StepCounts(items, items, items, 0, 0, 0, 0, commits, 0);
    }

    static List<PlannedPartition> plan(int partitions) {
        return IntStream.range(0, partitions)
                .mapToObj(i -> new PlannedPartition("key-" + i, ExecutionContext.of(Map.of("number", i))))
                .toList();
    }
}
