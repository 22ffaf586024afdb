package dev.weighlock.batch.repository;

import dev.weighlock.batch.BatchStatus;
import dev.weighlock.batch.ExecutionContext;
import dev.weighlock.batch.ExitStatus;
import dev.weighlock.batch.FailureSummary;
import dev.weighlock.batch.FlowDecision;
import dev.weighlock.batch.JobExecution;
import dev.weighlock.batch.JobInstance;
import dev.weighlock.batch.JobName;
import dev.weighlock.batch.StopInstants;
import dev.weighlock.batch.StopRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;

/** Job executions in maps; under the repository's lock. */
final class MemoryExecutions {
    private final MemoryTables tables;
    private final MemoryQueue queue;
    private final MemoryHolds holds;

    MemoryExecutions(MemoryTables tables, MemoryQueue queue, MemoryHolds holds) {
        this.tables = tables;
        this.queue = queue;
        this.holds = holds;
    }

    Optional<JobExecution> last(long instanceId) {
        return Optional.ofNullable(tables.lastOfInstance.get(instanceId)).map(tables.executions::get);
    }

    private JobExecution get(long id) {
        var found = tables.executions.get(id);
        if (found == null) {
            throw RepositoryRefusals.unknown("execution " + id);
        }
        return found;
    }

    /** The stored execution, active and under the caller's epoch. */
    JobExecution owned(JobExecution current) {
        return owned(current, get(current.id()).status().isActive());
    }

    /** The stored execution, as the caller knows it. */
    JobExecution guarded(JobExecution current) {
        var stored = get(current.id());
        return owned(current, stored.version() == current.version() && stored.status() == current.status());
    }

    private JobExecution owned(JobExecution current, boolean unchanged) {
        var stored = get(current.id());
        if (!unchanged || stored.epoch() != current.epoch()) {
            throw RepositoryRefusals.broken(RepositoryRules.what(current), current.epoch(), stored.epoch());
        }
        return stored;
    }

    void decide(JobExecution execution, FlowDecision decision) {
        var stored = get(execution.id());
        var taken = tables.decisions.computeIfAbsent(execution.instance().id(), id -> new ArrayList<>());
        for (var earlier : taken) {
            if (earlier.executionId() == stored.id()
                    && earlier.decision().node().equals(decision.node())) {
                throw RepositoryRefusals.decided(
                        stored.id(), decision.node(), earlier.decision().target());
            }
        }
        owned(execution);
        taken.removeIf(earlier -> earlier.decision().node().equals(decision.node()));
        taken.add(new MemoryTables.Taken(stored.id(), decision));
    }

    List<FlowDecision> decisions(long instanceId) {
        return tables.decisions.getOrDefault(instanceId, List.of()).stream()
                .map(MemoryTables.Taken::decision)
                .toList();
    }

    LaunchDecision create(LaunchRequest request) {
        var instance = instance(request);
        var last = last(instance.id());
        var refusal = last.flatMap(
                        execution -> RepositoryRules.refusal(execution, request, holds.inTheWay(instance.id())))
                .or(() -> request.slot().flatMap(claim -> queue.refusal(request, claim)));
        if (refusal.isPresent()) {
            return refusal.get();
        }
        if (last.isEmpty() && request.expectedPrevious().isPresent()) {
            throw RepositoryRefusals.forgotten(request.expectedPrevious().getAsLong());
        }
        tables.definitions.putIfAbsent(request.definition().digest(), request.definition());
        var created = created(request, instance, last);
        request.audit().forEach(entry -> tables.audited(OptionalLong.of(created.id()), entry));
        request.slot().ifPresent(claim -> queue.started(claim, created));
        return new LaunchDecision.Created(store(created), Optional.empty());
    }

    private JobInstance instance(LaunchRequest request) {
        var key =
                new MemoryTables.InstanceKey(request.job(), request.parameters().identity());
        var known = tables.instances.get(key);
        if (known != null) {
            return known;
        }
        var instance = new JobInstance(tables.nextId(), key.job(), key.identity());
        tables.instances.put(key, instance);
        tables.instanceCounts.merge(key.job(), 1L, Long::sum);
        return instance;
    }

    /** STARTED where its first step begins with it. */
    private JobExecution created(LaunchRequest request, JobInstance instance, Optional<JobExecution> last) {
        boolean begins = last.isEmpty() && request.first().isPresent();
        var now = tables.now();
        return new JobExecution(
                tables.nextId(),
                instance,
                last.map(JobExecution::attempt).orElse(0) + 1,
                request.parameters(),
                request.definition().digest(),
                request.fingerprint(),
                begins ? BatchStatus.STARTED : BatchStatus.STARTING,
                ExitStatus.UNKNOWN,
                1,
                last.map(JobExecution::epoch).orElse(0L) + 1,
                request.node(),
                last.map(JobExecution::context).orElse(ExecutionContext.EMPTY),
                StopInstants.NONE,
                now,
                begins ? Optional.of(now) : Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
    }

    private JobExecution store(JobExecution execution) {
        tables.executions.put(execution.id(), execution);
        tables.lastOfInstance.put(execution.instance().id(), execution.id());
        tables.byJob
                .computeIfAbsent(execution.instance().name(), name -> new TreeMap<>())
                .put(execution.id(), execution);
        if (execution.status().isActive()) {
            tables.active.add(execution.id());
        } else {
            tables.active.remove(execution.id());
            tables.lastCommits.remove(execution.id());
        }
        return execution;
    }

    JobExecution update(JobExecution current, JobChange change) {
        RepositoryRules.check(current, change);
        RepositoryBounds.context(change.context());
        return store(successor(guarded(current), change, 0));
    }

    private JobExecution successor(JobExecution stored, JobChange change, int epochs) {
        var now = tables.now();
        boolean started = stored.startedAt().isEmpty() && change.status() == BatchStatus.STARTED;
        return new JobExecution(
                stored.id(),
                stored.instance(),
                stored.attempt(),
                stored.parameters(),
                stored.definitionDigest(),
                stored.fingerprint(),
                change.status(),
                change.exitStatus(),
                stored.version() + 1,
                stored.epoch() + epochs,
                stored.ownerNode(),
                change.context(),
                stopInstants(stored, change.status()),
                stored.createdAt(),
                started ? Optional.of(now) : stored.startedAt(),
                change.status().isActive()
                        ? Optional.empty()
                        : Optional.of(stored.endedAt().orElse(now)),
                change.failure(),
                change.diagnostics().map(RepositoryBounds::text).or(stored::diagnostics));
    }

    private StopInstants stopInstants(JobExecution stored, BatchStatus next) {
        var stop = stored.stop();
        if (next == BatchStatus.STOPPING) {
            return new StopInstants(stop.request(), Optional.of(tables.now()), Optional.empty());
        }
        if (next.isActive() || stop.seenAt().isEmpty()) {
            return stop;
        }
        var commit = Optional.ofNullable(tables.lastCommits.get(stored.id()))
                .filter(at -> !at.isBefore(stop.seenAt().get()));
        return new StopInstants(stop.request(), stop.seenAt(), commit);
    }

    JobExecution abandon(JobExecution current, AuditEntry audit) {
        RepositoryRules.checkAbandon(current);
        var last = last(current.instance().id());
        if (last.isPresent() && last.get().id() != current.id()) {
            throw RepositoryRefusals.superseded(current.id(), last.get().id());
        }
        return resolve(current, BatchStatus.ABANDONED, current.exitStatus(), current.failure(), audit);
    }

    /** A person decides that an unknown outcome was this failure. */
    JobExecution failUnknown(JobExecution current, FailureSummary failure, AuditEntry audit) {
        RepositoryRules.checkFailUnknown(current);
        return resolve(current, BatchStatus.FAILED, ExitStatus.FAILED, Optional.of(failure), audit);
    }

    private JobExecution resolve(
            JobExecution current,
            BatchStatus status,
            ExitStatus exit,
            Optional<FailureSummary> failure,
            AuditEntry audit) {
        var stored = guarded(current);
        tables.audited(OptionalLong.of(stored.id()), audit);
        return store(
                successor(stored, new JobChange(status, exit, stored.context(), failure, stored.diagnostics()), 0));
    }

    List<DeadExecution> dead() {
        return tables.active.stream()
                .map(this::get)
                .filter(execution -> tables.deadNodes.contains(execution.ownerNode()))
                .map(execution -> new DeadExecution(execution, tables.node(execution.ownerNode())))
                .toList();
    }

    JobExecution failDead(JobExecution dead, FailureSummary failure, AuditEntry audit) {
        RepositoryRules.checkFailDead(dead);
        if (!tables.deadNodes.contains(dead.ownerNode())) {
            throw RepositoryRefusals.alive(
                    dead.id(), tables.node(dead.ownerNode()).name());
        }
        var stored = get(dead.id());
        if (stored.epoch() != dead.epoch()) {
            throw RepositoryRefusals.lost(dead.id());
        }
        guarded(dead);
        tables.audited(OptionalLong.of(dead.id()), audit);
        var change = new JobChange(
                BatchStatus.FAILED, ExitStatus.FAILED, stored.context(), Optional.of(failure), Optional.empty());
        return store(successor(stored, change, 1));
    }

    StopDecision requestStop(long id, OptionalLong expectedVersion, String actor, String reason) {
        var stored = get(id);
        var known = RepositoryRules.stopDecision(stored, expectedVersion);
        if (known.isPresent()) {
            return known.get();
        }
        var request = new StopRequest(id, RepositoryBounds.text(actor), tables.now());
        tables.audited(OptionalLong.of(id), new AuditEntry("stop", actor, reason));
        var stop = stored.stop();
        var asked = withStop(stored, new StopInstants(Optional.of(request), stop.seenAt(), stop.lastCommitAt()));
        return new StopDecision.Requested(store(asked), request.requestedAt());
    }

    /** The request alone: neither version nor status moves. */
    private static JobExecution withStop(JobExecution e, StopInstants stop) {
        return new JobExecution(
                e.id(),
                e.instance(),
                e.attempt(),
                e.parameters(),
                e.definitionDigest(),
                e.fingerprint(),
                e.status(),
                e.exitStatus(),
                e.version(),
                e.epoch(),
                e.ownerNode(),
                e.context(),
                stop,
                e.createdAt(),
                e.startedAt(),
                e.endedAt(),
                e.failure(),
                e.diagnostics());
    }

    List<StopRequest> pendingStops() {
        return tables.active.stream()
                .map(this::get)
                .filter(execution -> tables.nodes.containsKey(execution.ownerNode()))
                .flatMap(execution -> execution.stop().request().stream())
                .toList();
    }

    Page<JobExecution> page(Optional<JobName> job, Optional<String> cursor, int limit) {
        NavigableMap<Long, JobExecution> all =
                job.isEmpty() ? tables.executions : tables.byJob.getOrDefault(job.get(), new TreeMap<>());
        return MemoryPage.newestFirst('e', all, cursor, limit, JobExecution::id);
    }

    Page<JobSummary> jobs(Optional<String> cursor, int limit) {
        var newest = new TreeMap<Long, JobSummary>();
        tables.byJob.forEach((name, executions) -> {
            var last = executions.lastEntry();
            long instances = tables.instanceCounts.getOrDefault(name, 0L);
            newest.put(last.getKey(), new JobSummary(name, instances, executions.size(), last.getValue()));
        });
        return MemoryPage.newestFirst(
                'j', newest, cursor, limit, summary -> summary.last().id());
    }
}
