package dev.weighlock.batch.repository;

import dev.weighlock.batch.FlowDecision;
import dev.weighlock.batch.JobExecution;
import dev.weighlock.batch.JobInstance;
import dev.weighlock.batch.JobName;
import dev.weighlock.batch.PartitionExecution;
import dev.weighlock.batch.StepExecution;
import dev.weighlock.batch.StepName;
import dev.weighlock.batch.StoredDefinition;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;

/** The maps. Guarded by the lock of the repository that owns them; ids rise, so that the newest is the last key. */
final class MemoryTables {
    /** What makes an instance unique. */
    record InstanceKey(JobName job, String identity) {}

    /** A decision and the execution that took it. */
    record Taken(long executionId, FlowDecision decision) {}

    /** A step of an instance. */
    record StepKey(long instanceId, StepName name) {}

    /** The attempts of one job, by id. */
    final Map<JobName, TreeMap<Long, JobExecution>> byJob = new HashMap<>();

    final Map<String, NodeInfo> nodes = new HashMap<>();
    final Set<String> deadNodes = new HashSet<>();
    final Map<InstanceKey, JobInstance> instances = new HashMap<>();
    final Map<JobName, Long> instanceCounts = new HashMap<>();
    final Map<String, StoredDefinition> definitions = new HashMap<>();
    final TreeMap<Long, JobExecution> executions = new TreeMap<>();
    /** Ids of executions that have no end, so that looking for the dead does not read history. */
    final Set<Long> active = new HashSet<>();

    final Map<Long, Long> lastOfInstance = new HashMap<>();
    final Map<Long, List<Taken>> decisions = new HashMap<>();
    final Map<Long, StepExecution> steps = new HashMap<>();
    final Map<Long, List<Long>> stepsOfExecution = new HashMap<>();
    final Map<StepKey, List<Long>> stepsOfInstance = new HashMap<>();
    final Map<Long, String> stepEvidence = new HashMap<>();
    /** The partitions of a step execution in plan order. */
    final Map<Long, List<PartitionExecution>> partitions = new HashMap<>();

    final Map<Long, String> partitionEvidence = new HashMap<>();
    final Map<Long, Instant> lastCommits = new HashMap<>();
    final List<AuditRecord> audit = new ArrayList<>();
    /** Launch requests by id; those that ended stay. */
    final TreeMap<Long, QueuedLaunch> requests = new TreeMap<>();

    final Map<Long, Hold> holds = new HashMap<>();
    /** Instances whose removal began. */
    final Set<Long> purging = new HashSet<>();

    private final Clock clock;
    private long lastId;

    MemoryTables(Clock clock) {
        this.clock = clock;
    }

    long nextId() {
        return ++lastId;
    }

    /** To the microsecond, as databases keep it. */
    Instant now() {
        return clock.instant().truncatedTo(ChronoUnit.MICROS);
    }

    NodeInfo node(String id) {
        return nodes.getOrDefault(id, new NodeInfo(id, "unknown", 0));
    }

    /** Before the change itself, since a key that was used refuses it. */
    void audited(OptionalLong execution, AuditEntry entry) {
        if (entry.key().isPresent()
                && audit.stream().anyMatch(record -> record.entry().key().equals(entry.key()))) {
            throw RepositoryRefusals.repeated(entry);
        }
        audit.add(new AuditRecord(execution, now(), entry));
    }

    void committed(long executionId) {
        lastCommits.put(executionId, now());
    }
}
