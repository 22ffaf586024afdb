package dev.weighlock.batch.repository;

import dev.weighlock.batch.BatchStatus;
import dev.weighlock.batch.JobExecution;
import dev.weighlock.batch.JobInstance;
import dev.weighlock.batch.PartitionExecution;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Removing old instances from maps, each whole at once; under the repository's lock. */
final class MemoryRetention {
    private final MemoryTables tables;

    MemoryRetention(MemoryTables tables) {
        this.tables = tables;
    }

    List<PurgeCandidate> purgeable(PurgeRule rule, Optional<PurgeCandidate> after, int limit) {
        long last = after.map(PurgeCandidate::instanceId).orElse(-1L);
        return instances().stream()
                .filter(instance -> instance.id() > last)
                .filter(instance -> mayGo(instance, rule))
                .limit(limit)
                .map(this::candidate)
                .toList();
    }

    private List<JobInstance> instances() {
        return tables.instances.values().stream()
                .sorted(Comparator.comparingLong(JobInstance::id))
                .toList();
    }

    private boolean mayGo(JobInstance instance, PurgeRule rule) {
        if (tables.purging.contains(instance.id())) {
            return true;
        }
        long newer = tables.instances.values().stream()
                .filter(other -> other.name().equals(instance.name()) && other.id() > instance.id())
                .count();
        return newer >= rule.keepLast()
                && !tables.holds.containsKey(instance.id())
                && executions(instance).stream().allMatch(execution -> isOver(execution, rule));
    }

    private static boolean isOver(JobExecution execution, PurgeRule rule) {
        return execution.status() != BatchStatus.UNKNOWN
                && execution
                        .endedAt()
                        .filter(at -> at.isBefore(rule.endedBefore()))
                        .isPresent();
    }

    private List<JobExecution> executions(JobInstance instance) {
        return tables.byJob.getOrDefault(instance.name(), new TreeMap<>()).values().stream()
                .filter(execution -> execution.instance().equals(instance))
                .toList();
    }

    private PurgeCandidate candidate(JobInstance instance) {
        var executions = executions(instance);
        long last = executions.isEmpty() ? 0 : executions.getLast().id();
        return new PurgeCandidate(instance.id(), instance.name(), last, executions.size());
    }

    List<PurgedInstance> begin(PurgeRule rule, List<PurgeCandidate> candidates) {
        var wanted = new HashSet<>(candidates);
        var begun = instances().stream()
                .filter(instance -> mayGo(instance, rule) && wanted.contains(candidate(instance)))
                .toList();
        begun.forEach(instance -> tables.purging.add(instance.id()));
        return instances().stream()
                .filter(instance -> tables.purging.contains(instance.id()))
                .map(this::begun)
                .toList();
    }

    private PurgedInstance begun(JobInstance instance) {
        var executions = executions(instance);
        return new PurgedInstance(
                instance.id(),
                executions.stream().map(JobExecution::id).toList(),
                executions.stream().map(JobExecution::definitionDigest).collect(Collectors.toSet()));
    }

    long purge(int mostRows) {
        long rows = 0;
        for (var instance : instances()) {
            if (rows < mostRows && tables.purging.contains(instance.id())) {
                rows += remove(begun(instance));
                tables.purging.remove(instance.id());
            }
        }
        return rows;
    }

    private long remove(PurgedInstance purged) {
        long rows = 1L + purged.executions().size();
        tables.instances.values().stream()
                .filter(instance -> instance.id() == purged.instanceId())
                .findFirst()
                .ifPresent(instance -> {
                    tables.instances.values().remove(instance);
                    tables.instanceCounts.merge(instance.name(), -1L, Long::sum);
                });
        tables.lastOfInstance.remove(purged.instanceId());
        tables.decisions.remove(purged.instanceId());
        tables.stepsOfInstance.keySet().removeIf(key -> key.instanceId() == purged.instanceId());
        for (long id : purged.executions()) {
            removeExecution(id);
        }
        return rows;
    }

    private void removeExecution(long id) {
        for (long step : Objects.requireNonNullElse(tables.stepsOfExecution.remove(id), List.<Long>of())) {
            tables.steps.remove(step);
            tables.stepEvidence.remove(step);
            Objects.requireNonNullElse(tables.partitions.remove(step), List.<PartitionExecution>of())
                    .forEach(partition -> tables.partitionEvidence.remove(partition.id()));
        }
        var removed = tables.executions.remove(id);
        if (removed != null) {
            var ofJob = tables.byJob.getOrDefault(removed.instance().name(), new TreeMap<>());
            ofJob.remove(id);
            if (ofJob.isEmpty()) {
                tables.byJob.remove(removed.instance().name());
            }
        }
    }

    long purgeQueue(PurgeRule rule, int most) {
        var old = tables.requests.values().stream()
                .filter(request -> !request.isWaiting() && request.requestedAt().isBefore(rule.endedBefore()))
                .limit(most)
                .toList();
        tables.requests.values().removeAll(old);
        return old.size();
    }
}
