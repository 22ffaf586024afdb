package dev.weighlock.batch.repository;

import dev.weighlock.batch.BatchError;
import dev.weighlock.batch.BatchException;
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
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** The maps. Guarded by the lock of the repository that owns them; ids rise, so that the newest is the last key. */
final class MemoryTables {
    /** What makes an instance unique. */
    record InstanceKey(JobName job, String identity) {}

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
    final Map<Long, List<FlowDecision>> decisions = new HashMap<>();
    final Map<Long, StepExecution> steps = new HashMap<>();
    final Map<Long, List<Long>> stepsOfExecution = new HashMap<>();
    final Map<StepKey, List<Long>> stepsOfInstance = new HashMap<>();
    final Map<Long, String> stepEvidence = new HashMap<>();
    /** The partitions of a step execution in plan order. */
    final Map<Long, List<PartitionExecution>> partitions = new HashMap<>();

    final Map<Long, String> partitionEvidence = new HashMap<>();
    final Map<Long, Instant> lastCommits = new HashMap<>();
    final List<AuditEntry> audit = new ArrayList<>();

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
        return clock.instant().truncatedTo(java.time.temporal.ChronoUnit.MICROS);
    }

    void committed(long executionId) {
        lastCommits.put(executionId, now());
    }

    void decide(long instanceId, FlowDecision decision) {
        var taken = decisions.computeIfAbsent(instanceId, id -> new ArrayList<>());
        taken.removeIf(earlier -> earlier.node().equals(decision.node()));
        taken.add(decision);
    }

    static BatchException notFound(String what) {
        return new BatchException(BatchError.NOT_FOUND, "no " + what + " in this repository");
    }

    static BatchException stale(String what) {
        return new BatchException(
                BatchError.STALE_VERSION, "the " + what + " changed since it was read: read it again");
    }

    static BatchException fenced(String what) {
        return new BatchException(BatchError.FENCED, "the " + what + " was taken over: its new owner goes on with it");
    }

    static BatchException illegal(String what, Enum<?> from, Enum<?> to) {
        return new BatchException(
                BatchError.ILLEGAL_TRANSITION, "the " + what + " cannot go from " + from + " to " + to);
    }
}
