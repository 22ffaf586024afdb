package dev.weighlock.batch.repository;

import dev.weighlock.batch.BatchStatus;
import dev.weighlock.batch.ExecutionContext;
import dev.weighlock.batch.ExitStatus;
import dev.weighlock.batch.PartitionExecution;
import dev.weighlock.batch.PartitionStatus;
import dev.weighlock.batch.StepCounts;
import dev.weighlock.batch.StepExecution;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Partitions in lists, one a step execution, in plan order; under the repository's lock. */
final class MemoryPartitions {
    private final MemoryTables tables;
    /** Where the next claim of a step begins to look, so that claiming a long plan stays linear. */
    private final Map<Long, Integer> nextPlanned = new HashMap<>();

    MemoryPartitions(MemoryTables tables) {
        this.tables = tables;
    }

    void plan(StepExecution step, List<PlannedPartition> plan) {
        RepositoryRules.check(plan);
        if (!rows(step.id()).isEmpty()) {
            throw RepositoryRefusals.planned(step.id());
        }
        var rows = new ArrayList<PartitionExecution>(plan.size());
        for (var planned : plan) {
            RepositoryBounds.partitionContext(planned.input());
            rows.add(planned(step.id(), rows.size(), planned.key(), planned.input(), ExecutionContext.EMPTY, 0));
        }
        tables.partitions.put(step.id(), rows);
    }

    private PartitionExecution planned(
            long stepId, int ordinal, String key, ExecutionContext input, ExecutionContext context, long claim) {
        return new PartitionExecution(
                tables.nextId(),
                stepId,
                ordinal,
                key,
                input,
                context,
                PartitionStatus.PLANNED,
                ExitStatus.UNKNOWN,
                claim,
                StepCounts.ZERO,
                false,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
    }

    long copyPlan(StepExecution to, List<StepExecution> attempts) {
        var from = attempts.reversed().stream()
                .filter(step -> step.id() != to.id())
                .takeWhile(step -> step.status() != BatchStatus.COMPLETED)
                .map(step -> tables.partitions.get(step.id()))
                .filter(rows -> rows != null && !rows.isEmpty())
                .findFirst();
        if (from.isEmpty()) {
            return 0;
        }
        var rows = new ArrayList<PartitionExecution>(from.get().size());
        from.get().forEach(row -> rows.add(copied(to.id(), row)));
        tables.partitions.put(to.id(), rows);
        return rows.size();
    }

    private PartitionExecution copied(long stepId, PartitionExecution row) {
        var fresh = planned(stepId, row.ordinal(), row.key(), row.input(), row.context(), row.claim());
        if (row.status() != PartitionStatus.COMPLETED) {
            return fresh;
        }
        var evidence = tables.partitionEvidence.get(row.id());
        if (evidence != null) {
            tables.partitionEvidence.put(fresh.id(), evidence);
        }
        return new PartitionExecution(
                fresh.id(),
                stepId,
                row.ordinal(),
                row.key(),
                row.input(),
                row.context(),
                row.status(),
                row.exitStatus(),
                row.claim(),
                row.counts(),
                true,
                row.startedAt(),
                row.endedAt(),
                row.failure(),
                row.diagnostics());
    }

    private List<PartitionExecution> rows(long stepId) {
        return tables.partitions.getOrDefault(stepId, List.of());
    }

    List<PartitionExecution> claim(StepExecution step, int most) {
        var rows = rows(step.id());
        var claimed = new ArrayList<PartitionExecution>();
        int at = nextPlanned.getOrDefault(step.id(), 0);
        for (; at < rows.size() && claimed.size() < most; at++) {
            if (rows.get(at).status() == PartitionStatus.PLANNED) {
                var started = started(rows.get(at));
                rows.set(at, started);
                claimed.add(started);
            }
        }
        nextPlanned.put(step.id(), at);
        return claimed;
    }

    private PartitionExecution started(PartitionExecution row) {
        return new PartitionExecution(
                row.id(),
                row.stepExecutionId(),
                row.ordinal(),
                row.key(),
                row.input(),
                row.context(),
                PartitionStatus.STARTED,
                row.exitStatus(),
                row.claim() + 1,
                row.counts(),
                false,
                Optional.of(tables.now()),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
    }

    private PartitionExecution guarded(StepExecution step, PartitionExecution current) {
        var rows = rows(current.stepExecutionId());
        if (current.ordinal() >= rows.size()) {
            throw RepositoryRefusals.unknown(RepositoryRules.what(step, current));
        }
        var stored = rows.get(current.ordinal());
        if (stored.claim() != current.claim() || stored.status() != PartitionStatus.STARTED) {
            throw RepositoryRefusals.broken(RepositoryRules.what(step, current), step.epoch(), step.epoch());
        }
        return stored;
    }

    /** @param step as stored, so that its epoch is the caller's */
    PartitionExecution update(StepExecution step, PartitionExecution current, PartitionChange change) {
        var stored = guarded(step, current);
        change.evidence().ifPresent(evidence -> tables.partitionEvidence.put(stored.id(), evidence));
        return put(RepositoryRules.ended(stored, change, tables.now()));
    }

    private PartitionExecution put(PartitionExecution row) {
        rows(row.stepExecutionId()).set(row.ordinal(), row);
        var step = tables.steps.get(row.stepExecutionId());
        if (step != null) {
            tables.committed(step.executionId());
        }
        return row;
    }

    PartitionExecution commitChunk(StepExecution step, PartitionExecution current, ChunkProgress progress) {
        RepositoryBounds.partitionContext(progress.context());
        var stored = guarded(step, current);
        return put(stored.committed(progress.counts(), progress.context()));
    }

    long stopPlanned(StepExecution step) {
        var rows = rows(step.id());
        long stopped = 0;
        for (int i = 0; i < rows.size(); i++) {
            var row = rows.get(i);
            if (row.status() == PartitionStatus.PLANNED) {
                var change = new PartitionChange(
                        PartitionStatus.STOPPED,
                        ExitStatus.STOPPED,
                        row.counts(),
                        row.context(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty());
                rows.set(i, RepositoryRules.ended(row, change, tables.now()));
                stopped++;
            }
        }
        return stopped;
    }

    PartitionTotals totals(long stepId) {
        var byStatus = new EnumMap<PartitionStatus, Long>(PartitionStatus.class);
        var counts = StepCounts.ZERO;
        for (var row : rows(stepId)) {
            byStatus.merge(row.status(), 1L, Long::sum);
            counts = row.carriedOver() ? counts : counts.plus(row.counts());
        }
        return new PartitionTotals(byStatus, counts);
    }

    Page<PartitionExecution> page(long stepId, Optional<String> cursor, int limit) {
        PageCursors.checkedLimit(limit);
        var after = rows(stepId).stream()
                .skip(PageCursors.decode('p', cursor, -1) + 1)
                .limit(limit + 1L)
                .toList();
        return PageCursors.page('p', after, limit, PartitionExecution::ordinal);
    }
}
