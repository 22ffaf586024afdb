package dev.weighlock.batch.repository;

import dev.weighlock.batch.JobExecution;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Holds and the audit trail in maps; under the repository's lock. */
final class MemoryHolds {
    private final MemoryTables tables;

    MemoryHolds(MemoryTables tables) {
        this.tables = tables;
    }

    Optional<Hold> of(long instanceId) {
        return Optional.ofNullable(tables.holds.get(instanceId));
    }

    /** What keeps an instance from being launched. */
    Optional<Hold> inTheWay(long instanceId) {
        return tables.purging.contains(instanceId)
                ? Optional.of(RepositoryRules.beingPurged(instanceId, tables.now()))
                : of(instanceId);
    }

    Hold place(JobExecution execution, AuditEntry audit) {
        long instance = execution.instance().id();
        var earlier = of(instance);
        if (earlier.isPresent()) {
            return earlier.get();
        }
        tables.audited(OptionalLong.of(execution.id()), audit);
        var hold = new Hold(
                instance, RepositoryBounds.text(audit.actor()), RepositoryBounds.text(audit.detail()), tables.now());
        tables.holds.put(instance, hold);
        return hold;
    }

    boolean release(JobExecution execution, AuditEntry audit) {
        if (of(execution.instance().id()).isEmpty()) {
            return false;
        }
        tables.audited(OptionalLong.of(execution.id()), audit);
        tables.holds.remove(execution.instance().id());
        return true;
    }

    List<AuditRecord> trail(long executionId, int limit) {
        var all = tables.audit.stream()
                .filter(record -> record.execution().orElse(-1) == executionId)
                .toList();
        return all.subList(Math.max(0, all.size() - limit), all.size());
    }

    Optional<AuditRecord> audited(String key) {
        return tables.audit.stream()
                .filter(record -> record.entry().key().equals(Optional.of(key)))
                .findFirst();
    }
}
