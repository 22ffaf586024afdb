package dev.weighlock.batch.repository;

import dev.weighlock.batch.JobExecution;
import dev.weighlock.batch.JobName;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Slots of jobs, and the launches that wait for one; under the repository's lock. */
final class MemoryQueue {
    private final MemoryTables tables;

    MemoryQueue(MemoryTables tables) {
        this.tables = tables;
    }

    List<QueuedLaunch> waiting(Optional<JobName> job) {
        return tables.requests.values().stream()
                .filter(QueuedLaunch::isWaiting)
                .filter(request -> job.isEmpty() || request.job().equals(job.get()))
                .toList();
    }

    /** Why the launch gets no slot now; empty when it gets one. */
    Optional<LaunchDecision> refusal(LaunchRequest launch, SlotClaim claim) {
        var waiting = waiting(Optional.of(launch.job()));
        if (claim.request().isPresent()) {
            var own = get(claim.request().getAsLong());
            if (!own.isWaiting()) {
                return Optional.of(new LaunchDecision.Withdrawn(own));
            }
        }
        var identity = launch.parameters().identity();
        var same = waiting.stream()
                .filter(request -> request.identity().equals(identity))
                .filter(request -> request.id() != claim.request().orElse(-1))
                .findFirst();
        if (same.isPresent() && !claim.aheadOfQueue()) {
            return Optional.of(new LaunchDecision.AlreadyQueued(same.get()));
        }
        return full(launch, claim, waiting);
    }

    private Optional<LaunchDecision> full(LaunchRequest launch, SlotClaim claim, List<QueuedLaunch> waiting) {
        var running = tables.active.stream()
                .map(tables.executions::get)
                .filter(execution -> execution.instance().name().equals(launch.job()))
                .toList();
        var ahead = waiting.stream()
                .filter(request -> request.id() < claim.request().orElse(Long.MAX_VALUE))
                .toList();
        if (claim.hasSlot(running.size(), ahead.size())) {
            return Optional.empty();
        }
        return Optional.of(
                switch (claim.limit().otherwise()) {
                    case REFUSE -> new LaunchDecision.LimitReached(running);
                    case QUEUE ->
                        new LaunchDecision.Queued(
                                claim.request().isPresent()
                                        ? get(claim.request().getAsLong())
                                        : enqueue(launch, claim),
                                ahead,
                                running);
                });
    }

    private QueuedLaunch enqueue(LaunchRequest launch, SlotClaim claim) {
        tables.definitions.putIfAbsent(launch.definition().digest(), launch.definition());
        return put(new QueuedLaunch(
                tables.nextId(),
                launch.job(),
                launch.parameters(),
                launch.parameters().identity(),
                claim.actor(),
                tables.node(launch.node()),
                tables.now(),
                QueuedLaunch.State.WAITING,
                OptionalLong.empty(),
                Optional.empty()));
    }

    private QueuedLaunch put(QueuedLaunch request) {
        tables.requests.put(request.id(), request);
        return request;
    }

    private QueuedLaunch get(long id) {
        var found = tables.requests.get(id);
        if (found == null) {
            throw RepositoryRefusals.unknown("launch request r" + id);
        }
        return found;
    }

    void started(SlotClaim claim, JobExecution execution) {
        if (claim.request().isPresent()) {
            put(ended(
                    get(claim.request().getAsLong()),
                    QueuedLaunch.State.STARTED,
                    OptionalLong.of(execution.id()),
                    Optional.empty()));
        }
    }

    QueuedLaunch cancel(long id, AuditEntry audit) {
        var request = get(id);
        if (!request.isWaiting()) {
            return request;
        }
        tables.audited(OptionalLong.empty(), audit);
        return put(ended(
                request,
                QueuedLaunch.State.CANCELLED,
                OptionalLong.empty(),
                Optional.of(RepositoryRules.endedBy(audit))));
    }

    private static QueuedLaunch ended(
            QueuedLaunch r, QueuedLaunch.State state, OptionalLong execution, Optional<String> by) {
        return new QueuedLaunch(
                r.id(),
                r.job(),
                r.parameters(),
                r.identity(),
                r.actor(),
                r.waiter(),
                r.requestedAt(),
                state,
                execution,
                by);
    }
}
