package dev.weighlock.batch.repository;

import dev.weighlock.batch.BatchStatus;
import dev.weighlock.batch.ExecutionContext;
import dev.weighlock.batch.ExitStatus;
import dev.weighlock.batch.FailureCategory;
import dev.weighlock.batch.FailureSummary;
import dev.weighlock.batch.JobExecution;
import dev.weighlock.batch.JobInstance;
import dev.weighlock.batch.JobName;
import dev.weighlock.batch.StopInstants;
import dev.weighlock.batch.StopRequest;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;

/** Job executions in maps; under the repository's lock. */
final class MemoryExecutions {
    private final MemoryTables tables;

    MemoryExecutions(MemoryTables tables) {
        this.tables = tables;
    }

    Optional<JobExecution> last(long instanceId) {
        return Optional.ofNullable(tables.lastOfInstance.get(instanceId)).map(tables.executions::get);
    }

    private JobExecution get(long id) {
        var found = tables.executions.get(id);
        if (found == null) {
            throw MemoryTables.notFound("job execution " + id);
        }
        return found;
    }

    JobExecution fenced(long id, long epoch) {
        var stored = get(id);
        if (stored.epoch() != epoch) {
            throw MemoryTables.fenced("job execution " + id);
        }
        return stored;
    }

    private JobExecution guarded(JobExecution current) {
        var stored = fenced(current.id(), current.epoch());
        if (stored.version() != current.version() || stored.status() != current.status()) {
            throw MemoryTables.stale("job execution " + current.id());
        }
        return stored;
    }

    LaunchDecision create(LaunchRequest request) {
        var instance = instance(request);
        var last = last(instance.id());
        if (last.isPresent()) {
            var refusal = refusal(last.get(), request.expectedPrevious());
            if (refusal.isPresent()) {
                return refusal.get();
            }
        }
        tables.definitions.putIfAbsent(request.definition().digest(), request.definition());
        tables.audit.addAll(request.audit());
        return new LaunchDecision.Created(store(created(request, instance, last)));
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

    private static Optional<LaunchDecision> refusal(JobExecution last, OptionalLong expected) {
        if (last.status().isActive()) {
            return Optional.of(new LaunchDecision.AlreadyRunning(last));
        }
        return switch (last.status()) {
            case COMPLETED, ABANDONED -> Optional.of(new LaunchDecision.AlreadyComplete(last));
            case UNKNOWN -> Optional.of(new LaunchDecision.OutcomeUnknown(last));
            case STARTING, STARTED, STOPPING, STOPPED, FAILED ->
                expected.isPresent() && expected.getAsLong() == last.id()
                        ? Optional.empty()
                        : Optional.of(new LaunchDecision.Superseded(last));
        };
    }

    private JobExecution created(LaunchRequest request, JobInstance instance, Optional<JobExecution> last) {
        return new JobExecution(
                tables.nextId(),
                instance,
                last.map(JobExecution::attempt).orElse(0) + 1,
                request.parameters(),
                request.definition().digest(),
                request.fingerprint(),
                BatchStatus.STARTING,
                ExitStatus.UNKNOWN,
                1,
                last.map(JobExecution::epoch).orElse(0L) + 1,
                request.node(),
                last.map(JobExecution::context).orElse(ExecutionContext.EMPTY),
                StopInstants.NONE,
                tables.now(),
                Optional.empty(),
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
        if (!current.status().canBecome(change.status())) {
            throw MemoryTables.illegal("job execution " + current.id(), current.status(), change.status());
        }
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
                change.status().isActive() ? Optional.empty() : Optional.of(now),
                change.failure(),
                change.diagnostics());
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

    /** An end that an operator decides. */
    JobExecution resolve(JobExecution current, BatchStatus status, Optional<FailureSummary> failure, AuditEntry audit) {
        if (!current.status().canBecome(status)) {
            throw MemoryTables.illegal("job execution " + current.id(), current.status(), status);
        }
        var stored = guarded(current);
        tables.audit.add(audit);
        var exit = status == BatchStatus.FAILED ? ExitStatus.FAILED : stored.exitStatus();
        var change = new JobChange(status, exit, stored.context(), failure, stored.diagnostics());
        return store(successor(stored, change, 0));
    }

    List<DeadExecution> dead() {
        return tables.active.stream()
                .map(this::get)
                .filter(execution -> tables.deadNodes.contains(execution.ownerNode()))
                .map(execution -> new DeadExecution(execution, owner(execution.ownerNode())))
                .toList();
    }

    private NodeInfo owner(String node) {
        return tables.nodes.getOrDefault(node, new NodeInfo(node, "unknown", 0));
    }

    JobExecution failDead(JobExecution dead, AuditEntry audit) {
        if (!tables.deadNodes.contains(dead.ownerNode())) {
            throw new dev.weighlock.batch.BatchException(
                    dev.weighlock.batch.BatchError.ALREADY_RUNNING,
                    "job execution " + dead.id() + " is owned by the live node " + dead.ownerNode());
        }
        var stored = get(dead.id());
        if (stored.epoch() != dead.epoch() || !stored.status().isActive()) {
            throw MemoryTables.stale("job execution " + dead.id());
        }
        tables.audit.add(audit);
        var failure = new FailureSummary(FailureCategory.OWNER_LOST, "owner-lost-" + dead.id());
        var change = new JobChange(
                BatchStatus.FAILED, ExitStatus.FAILED, stored.context(), Optional.of(failure), Optional.empty());
        return store(successor(stored, change, 1));
    }

    StopDecision requestStop(long id, OptionalLong expectedVersion, String actor) {
        var stored = get(id);
        if (!stored.status().isActive()) {
            return new StopDecision.AlreadyFinished(stored);
        }
        if (stored.stop().request().isPresent()) {
            return new StopDecision.Requested(
                    stored, stored.stop().request().get().requestedAt());
        }
        if (expectedVersion.isPresent() && expectedVersion.getAsLong() != stored.version()) {
            return new StopDecision.StaleVersion(stored);
        }
        var request = new StopRequest(id, actor, tables.now());
        var asked = withStop(
                stored,
                new StopInstants(
                        Optional.of(request),
                        stored.stop().seenAt(),
                        stored.stop().lastCommitAt()));
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
                .flatMap(execution -> execution.stop().request().stream())
                .toList();
    }

    Page<JobExecution> page(Optional<JobName> job, Optional<String> cursor, int limit) {
        NavigableMap<Long, JobExecution> all =
                job.isEmpty() ? tables.executions : tables.byJob.getOrDefault(job.get(), new TreeMap<>());
        return MemoryPage.descending(all, cursor, limit);
    }

    Page<JobSummary> jobs(Optional<String> cursor, int limit) {
        var newest = new TreeMap<Long, JobSummary>();
        tables.byJob.forEach((name, executions) -> {
            var last = executions.lastEntry();
            long instances = tables.instanceCounts.getOrDefault(name, 0L);
            newest.put(last.getKey(), new JobSummary(name, instances, executions.size(), last.getValue()));
        });
        return MemoryPage.descending(newest, cursor, limit);
    }
}
