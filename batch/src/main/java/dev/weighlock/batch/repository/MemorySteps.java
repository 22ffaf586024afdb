package dev.weighlock.batch.repository;

import dev.weighlock.batch.BatchStatus;
import dev.weighlock.batch.ExitStatus;
import dev.weighlock.batch.FailureSummary;
import dev.weighlock.batch.JobExecution;
import dev.weighlock.batch.PartitionExecution;
import dev.weighlock.batch.PartitionStatus;
import dev.weighlock.batch.StepCounts;
import dev.weighlock.batch.StepExecution;
import dev.weighlock.batch.StepName;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Step executions in maps; under the repository's lock. */
final class MemorySteps {
    private final MemoryTables tables;

    MemorySteps(MemoryTables tables) {
        this.tables = tables;
    }

    /** The instance's attempts at a step, the oldest first. */
    List<StepExecution> attempts(long instanceId, StepName name) {
        return tables.stepsOfInstance.getOrDefault(new MemoryTables.StepKey(instanceId, name), List.of()).stream()
                .map(this::get)
                .toList();
    }

    Optional<StepExecution> last(long instanceId, StepName name) {
        var ids = tables.stepsOfInstance.get(new MemoryTables.StepKey(instanceId, name));
        return ids == null ? Optional.empty() : Optional.of(get(ids.getLast()));
    }

    List<StepExecution> of(long executionId) {
        return tables.stepsOfExecution.getOrDefault(executionId, List.of()).stream()
                .map(this::get)
                .toList();
    }

    private StepExecution get(long id) {
        var found = tables.steps.get(id);
        if (found == null) {
            throw RepositoryRefusals.unknown("step execution " + id);
        }
        return found;
    }

    StepExecution create(JobExecution execution, StepName name, int startLimit, boolean partitioned) {
        var last = last(execution.instance().id(), name);
        int attempt = RepositoryRules.nextAttempt(last, name, startLimit);
        return add(new StepExecution(
                tables.nextId(),
                execution.id(),
                execution.instance().id(),
                name,
                attempt,
                BatchStatus.STARTED,
                ExitStatus.UNKNOWN,
                1,
                execution.epoch(),
                StepCounts.ZERO,
                RepositoryRules.carriedContext(last),
                partitioned,
                Optional.empty(),
                tables.now(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty()));
    }

    private StepExecution add(StepExecution step) {
        tables.steps.put(step.id(), step);
        tables.stepsOfExecution
                .computeIfAbsent(step.executionId(), id -> new ArrayList<>(2))
                .add(step.id());
        tables.stepsOfInstance
                .computeIfAbsent(new MemoryTables.StepKey(step.instanceId(), step.name()), key -> new ArrayList<>(2))
                .add(step.id());
        return step;
    }

    /** The stored step, active and under the caller's epoch. */
    StepExecution owned(StepExecution current) {
        return owned(current, get(current.id()).status().isActive());
    }

    private StepExecution guarded(StepExecution current) {
        var stored = get(current.id());
        return owned(current, stored.version() == current.version() && stored.status() == BatchStatus.STARTED);
    }

    private StepExecution owned(StepExecution current, boolean unchanged) {
        var stored = get(current.id());
        if (!unchanged || stored.epoch() != current.epoch()) {
            throw RepositoryRefusals.broken(RepositoryRules.what(current), current.epoch(), stored.epoch());
        }
        return stored;
    }

    StepExecution update(StepExecution current, StepChange change) {
        RepositoryRules.check(current, change);
        RepositoryBounds.context(change.context());
        RepositoryBounds.evidence(change.evidence());
        var stored = guarded(current);
        change.evidence().ifPresent(evidence -> tables.stepEvidence.put(stored.id(), evidence));
        tables.committed(stored.executionId());
        return put(RepositoryRules.ended(stored, change, tables.now()));
    }

    private StepExecution put(StepExecution step) {
        tables.steps.put(step.id(), step);
        return step;
    }

    StepExecution commitChunk(StepExecution current, ChunkProgress progress) {
        RepositoryBounds.context(progress.context());
        var stored = guarded(current);
        tables.committed(stored.executionId());
        return put(stored.committed(progress.counts(), progress.context()));
    }

    /** Ends what a dead owner left, under the execution's new epoch. */
    void failActive(long executionId, long epoch, FailureSummary failure) {
        for (var step : of(executionId)) {
            if (step.status().isActive()) {
                end(step, BatchStatus.FAILED, failure, epoch);
                endPartitions(step.id(), failure);
            }
        }
    }

    void failUnknown(long executionId, FailureSummary failure) {
        of(executionId).stream()
                .filter(step -> step.status() == BatchStatus.UNKNOWN)
                .forEach(step -> end(step, BatchStatus.FAILED, failure, step.epoch()));
    }

    private void end(StepExecution step, BatchStatus status, FailureSummary failure, long epoch) {
        put(new StepExecution(
                step.id(),
                step.executionId(),
                step.instanceId(),
                step.name(),
                step.attempt(),
                status,
                ExitStatus.FAILED,
                step.version() + 1,
                epoch,
                step.counts(),
                step.context(),
                step.partitioned(),
                step.stopTiming(),
                step.startedAt(),
                step.endedAt().or(() -> Optional.of(tables.now())),
                Optional.of(failure),
                step.diagnostics()));
    }

    private void endPartitions(long stepId, FailureSummary failure) {
        var rows = tables.partitions.getOrDefault(stepId, List.of());
        for (int i = 0; i < rows.size(); i++) {
            var row = rows.get(i);
            if (row.status() == PartitionStatus.STARTED) {
                rows.set(i, ended(row, PartitionStatus.FAILED, ExitStatus.FAILED, Optional.of(failure)));
            } else if (row.status() == PartitionStatus.PLANNED) {
                rows.set(i, ended(row, PartitionStatus.STOPPED, ExitStatus.STOPPED, Optional.empty()));
            }
        }
    }

    private PartitionExecution ended(
            PartitionExecution row, PartitionStatus status, ExitStatus exit, Optional<FailureSummary> failure) {
        var change = new PartitionChange(
                status, exit, row.counts(), row.context(), failure, Optional.empty(), Optional.empty());
        return RepositoryRules.ended(row, change, tables.now());
    }
}
