package dev.weighlock.batch.repository;

import dev.weighlock.batch.BatchError;
import dev.weighlock.batch.BatchException;
import dev.weighlock.batch.BatchStatus;
import dev.weighlock.batch.ExecutionContext;
import dev.weighlock.batch.FailureCategory;
import dev.weighlock.batch.FailureSummary;
import dev.weighlock.batch.JobExecution;
import dev.weighlock.batch.PartitionExecution;
import dev.weighlock.batch.PartitionStatus;
import dev.weighlock.batch.StepExecution;
import dev.weighlock.batch.StepName;
import dev.weighlock.batch.StopInstants;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;

/**
 * What every repository allows and refuses before it writes, in one place so that all of them answer alike. For
 * implementers of the port; pure, but for the ids of failures that a repository states itself.
 */
public final class RepositoryRules {
    /** Stands in what is said of a step that was started as often as it may be. */
    public static final String START_LIMIT_REACHED = "its start limit is ";

    private static final int MAX_PARTITIONS = 100_000;
    private static final int MAX_KEY_BYTES = 128;

    private RepositoryRules() {}

    /** Whether the owner may make this lifecycle write. */
    public static void check(JobExecution current, JobChange change) {
        var what = what(current);
        if (!current.status().isActive() || !current.status().canBecome(change.status())) {
            throw RepositoryRefusals.illegal(what, current.status(), change.status());
        }
        if (change.status() == BatchStatus.FAILED && change.failure().isEmpty()) {
            throw RepositoryRefusals.noFailure(what);
        }
    }

    public static void checkAbandon(JobExecution current) {
        if (!current.status().canBecome(BatchStatus.ABANDONED)) {
            throw RepositoryRefusals.illegal(what(current), current.status(), BatchStatus.ABANDONED);
        }
    }

    public static void checkFailUnknown(JobExecution current) {
        if (current.status() != BatchStatus.UNKNOWN) {
            throw RepositoryRefusals.illegal(what(current), current.status(), BatchStatus.FAILED);
        }
    }

    /** Only what is active can lose its owner. */
    public static void checkFailDead(JobExecution dead) {
        if (!dead.status().isActive()) {
            throw RepositoryRefusals.illegal(what(dead), dead.status(), BatchStatus.FAILED);
        }
    }

    /** A step's one write of its status is its end; STOPPING and ABANDONED are the job's alone. */
    public static void check(StepExecution current, StepChange change) {
        boolean terminal = switch (change.status()) {
            case STOPPED, FAILED, COMPLETED, UNKNOWN -> true;
            case STARTING, STARTED, STOPPING, ABANDONED -> false;
        };
        if (current.status() != BatchStatus.STARTED || !terminal) {
            throw RepositoryRefusals.illegal(what(current), current.status(), change.status());
        }
        if (change.status() == BatchStatus.FAILED && change.failure().isEmpty()) {
            throw RepositoryRefusals.noFailure(what(current));
        }
    }

    /** What one write may end: a step that completed, and the execution that it was the last of. */
    public static void check(StepExecution step, StepChange stepChange, JobExecution execution, JobChange change) {
        check(step, stepChange);
        check(execution, change);
        boolean complete = stepChange.status() == BatchStatus.COMPLETED;
        boolean over = change.status() == BatchStatus.COMPLETED || change.status() == BatchStatus.STOPPED;
        if (!complete || !over || step.executionId() != execution.id()) {
            throw new IllegalArgumentException(what(step) + " " + stepChange.status() + " does not end "
                    + what(execution) + " " + change.status());
        }
    }

    /** The execution as its owner ended it. */
    public static JobExecution ended(JobExecution current, JobChange change, StopInstants stop, Instant endedAt) {
        return new JobExecution(
                current.id(),
                current.instance(),
                current.attempt(),
                current.parameters(),
                current.definitionDigest(),
                current.fingerprint(),
                change.status(),
                change.exitStatus(),
                current.version() + 1,
                current.epoch(),
                current.ownerNode(),
                change.context(),
                stop,
                current.createdAt(),
                current.startedAt(),
                Optional.of(endedAt),
                change.failure(),
                change.diagnostics().map(RepositoryBounds::text).or(current::diagnostics));
    }

    /** The step as its owner ended it. */
    public static StepExecution ended(StepExecution current, StepChange change, Instant endedAt) {
        return new StepExecution(
                current.id(),
                current.executionId(),
                current.instanceId(),
                current.name(),
                current.attempt(),
                change.status(),
                change.exitStatus(),
                current.version() + 1,
                current.epoch(),
                change.counts(),
                change.context(),
                current.partitioned(),
                change.stopTiming(),
                current.startedAt(),
                Optional.of(endedAt),
                change.failure(),
                change.diagnostics().map(RepositoryBounds::text));
    }

    /** The partition as its worker ended it. */
    public static PartitionExecution ended(PartitionExecution current, PartitionChange change, Instant endedAt) {
        return new PartitionExecution(
                current.id(),
                current.stepExecutionId(),
                current.ordinal(),
                current.key(),
                current.input(),
                change.context(),
                change.status(),
                change.exitStatus(),
                current.claim(),
                change.counts(),
                current.carriedOver(),
                current.startedAt(),
                Optional.of(endedAt),
                change.failure(),
                change.diagnostics().map(RepositoryBounds::text));
    }

    /** A worker ends what it claimed. */
    public static void check(PartitionExecution current, PartitionChange change) {
        var what = "partition " + current.key();
        if (current.status() != PartitionStatus.STARTED || !current.status().canBecome(change.status())) {
            throw RepositoryRefusals.illegal(what, current.status(), change.status());
        }
        if (change.status() == PartitionStatus.FAILED && change.failure().isEmpty()) {
            throw RepositoryRefusals.noFailure(what);
        }
    }

    /** Size of a plan and its keys. */
    public static void check(List<PlannedPartition> plan) {
        if (plan.size() > MAX_PARTITIONS) {
            throw new BatchException(
                    BatchError.TOO_LARGE,
                    "a plan is limited to " + MAX_PARTITIONS + " partitions; this one has " + plan.size());
        }
        var keys = new HashSet<String>();
        for (var partition : plan) {
            int bytes = partition.key().getBytes(StandardCharsets.UTF_8).length;
            if (bytes == 0
                    || bytes > MAX_KEY_BYTES
                    || !RepositoryBounds.text(partition.key()).equals(partition.key())) {
                throw new BatchException(
                        BatchError.INVALID_DEFINITION,
                        "a partition key has 1 to 128 bytes of UTF-8 and no NUL character");
            }
            if (!keys.add(partition.key())) {
                throw new BatchException(
                        BatchError.INVALID_DEFINITION, "two partitions have the key \"" + partition.key() + "\"");
            }
        }
    }

    /** The number of the next attempt at a step, within its start limit. */
    public static int nextAttempt(Optional<StepExecution> last, StepName name, int startLimit) {
        int attempt = last.map(StepExecution::attempt).orElse(0) + 1;
        if (attempt > startLimit) {
            throw new BatchException(
                    BatchError.START_LIMIT_EXCEEDED,
                    "step " + name + " was started " + (attempt - 1) + " times; " + START_LIMIT_REACHED + startLimit);
        }
        return attempt;
    }

    /** The context that a new attempt at a step begins with. */
    public static ExecutionContext carriedContext(Optional<StepExecution> last) {
        return last.filter(step -> step.status() != BatchStatus.COMPLETED)
                .map(StepExecution::context)
                .orElse(ExecutionContext.EMPTY);
    }

    /** Why the instance's last execution, or its hold, stands in the way of a launch; empty when neither does. */
    public static Optional<LaunchDecision> refusal(JobExecution last, LaunchRequest request, Optional<Hold> hold) {
        return switch (last.status()) {
            case STARTING, STARTED, STOPPING -> Optional.of(new LaunchDecision.AlreadyRunning(last));
            case COMPLETED, ABANDONED -> Optional.of(new LaunchDecision.AlreadyComplete(last));
            case UNKNOWN -> Optional.of(new LaunchDecision.OutcomeUnknown(last));
            case STOPPED, FAILED -> {
                if (hold.isPresent()) {
                    yield Optional.of(new LaunchDecision.Held(last, hold.get()));
                }
                yield request.expectedPrevious().orElse(-1) == last.id()
                        ? Optional.empty()
                        : Optional.of(new LaunchDecision.Superseded(last));
            }
        };
    }

    /** What stands in for a hold while an instance is being removed. */
    public static Hold beingPurged(long instanceId, Instant now) {
        return new Hold(instanceId, "wl purge", "it is being removed: 'wl purge' finishes that", now);
    }

    /** Who ended a launch request, and why. */
    public static String endedBy(AuditEntry audit) {
        return RepositoryBounds.text(audit.actor() + (audit.detail().isBlank() ? "" : ": " + audit.detail()));
    }

    /** What a stop request comes to, read after it was stored where it could be; empty when it was not stored. */
    public static Optional<StopDecision> stopDecision(JobExecution execution, OptionalLong expectedVersion) {
        if (!execution.status().isActive()) {
            return Optional.of(new StopDecision.AlreadyFinished(execution));
        }
        if (expectedVersion.isPresent() && expectedVersion.getAsLong() != execution.version()) {
            return Optional.of(new StopDecision.StaleVersion(execution));
        }
        return execution.stop().request().map(request -> new StopDecision.Requested(execution, request.requestedAt()));
    }

    /** A failure that the repository itself states, such as {@code OWNER_LOST}. */
    public static FailureSummary failure(FailureCategory category) {
        return new FailureSummary(category, UUID.randomUUID().toString());
    }

    /** What messages call it. */
    public static String what(JobExecution execution) {
        return "execution " + execution.id();
    }

    public static String what(StepExecution step) {
        return "step execution " + step.id() + " (" + step.name() + ")";
    }

    public static String what(StepExecution step, PartitionExecution partition) {
        return "partition " + partition.key() + " of step execution " + step.id();
    }
}
