package dev.weighlock.query.attempt;

import dev.weighlock.query.AttemptId;
import dev.weighlock.query.QueryException;
import dev.weighlock.query.report.AttemptPhase;
import dev.weighlock.query.report.CancelReason;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Begins the attempts of one backend and knows those that are not over. Any thread, without a lock. */
public final class Attempts {
    private final AttemptEnvironment environment;
    private final AttemptCounters counters = new AttemptCounters();
    private final Map<AttemptId, AttemptCore> live = new ConcurrentHashMap<>();

    public Attempts(AttemptEnvironment environment) {
        this.environment = environment;
    }

    /** An attempt whose report is not published. */
    public record Live(AttemptId attemptId, AttemptPhase phase, boolean cancelled) {}

    /**
     * Begins an attempt. It holds an observation permit of the backend until its report is published.
     *
     * @return the owner, which the caller closes, and the factory of its receivers
     * @throws QueryException {@code CANCELLED} with {@code backend_closing} when the backend closes; nothing has begun
     */
    public AttemptBegin begin(BeginAttempt request) {
        var attemptId = AttemptId.mint();
        var permit = environment.lifecycle().beginObservation(attemptId);
        var end = new End(attemptId);
        AttemptCore core;
        try {
            core = new AttemptCore(attemptId, request, environment, counters, permit, end);
        } catch (RuntimeException | Error failedStart) {
            permit.close();
            throw failedStart;
        }
        counters.attemptBegun();
        live.put(attemptId, core);
        var deadlines = environment.deadlines();
        if (deadlines != null && request.deadline() != null) {
            end.watch = deadlines.watch(core.cancellation());
        }
        var open = environment.lifecycle().openHandles();
        return new AttemptBegin(new AttemptOwner(core), new CompletionFactory(attemptId, core.publication(), open));
    }

    public AttemptCounters.Snapshot counters() {
        return counters.snapshot();
    }

    /** The attempts that are not over, in the order in which they began. */
    public List<Live> live() {
        return live.values().stream()
                .map(core -> new Live(
                        core.attemptId(),
                        core.inLock(AttemptLifecycle::phase),
                        core.cancellation().isCancelled()))
                .sorted(Comparator.comparing(Live::attemptId))
                .toList();
    }

    /** Asks every attempt that is not over to stop; returns without waiting for them. */
    public void cancelAll(CancelReason reason) {
        live.values().forEach(core -> core.cancellation().cancel(reason));
    }

    /** What happens when the report of one attempt is published. */
    private final class End implements Runnable {
        private final AttemptId attemptId;
        private volatile Cancellation.Registration watch = () -> {};

        private End(AttemptId attemptId) {
            this.attemptId = attemptId;
        }

        @Override
        public void run() {
            live.remove(attemptId);
            watch.close();
        }
    }
}
