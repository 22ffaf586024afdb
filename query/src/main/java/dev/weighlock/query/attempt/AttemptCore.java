package dev.weighlock.query.attempt;

import dev.weighlock.query.AttemptId;
import dev.weighlock.query.QueryException;
import dev.weighlock.query.lifecycle.LifecyclePermit;
import dev.weighlock.query.observe.BoundaryKind;
import dev.weighlock.query.observe.Observation;
import dev.weighlock.query.observe.ObservationConfig;
import dev.weighlock.query.observe.ObservationManifest;
import dev.weighlock.query.observe.SealDelivery;
import dev.weighlock.query.report.AttemptIdentity;
import dev.weighlock.query.report.AttemptReport;
import dev.weighlock.query.report.FailureSummary;
import dev.weighlock.query.report.ObservationCompleteness;
import dev.weighlock.query.report.Outcome;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Everything behind one attempt that its owner, handles and admission share. Receivers hold only its {@link
 * Publication}.
 *
 * <p>The attempt lock, {@code publication.lock()}, guards {@code lifecycle}, {@code grantRelease} and the publication.
 * Boundary events are recorded under it, so that the timeline has the order of the lifecycle; the observation's lock is
 * a leaf. Everything that calls somebody else runs with the lock free.
 */
final class AttemptCore {
    private static final Logger LOG = LoggerFactory.getLogger(AttemptCore.class);

    private final AttemptIdentity identity;
    private final AttemptEnvironment environment;
    private final AttemptCounters counters;
    private final LifecyclePermit permit;
    private final Runnable onPublished;
    private final Cancellation cancellation;
    private final Observation observation;
    private final Publication publication = new Publication();
    private final FinalizerSlot slot = new FinalizerSlot(new AttemptFinalizer(this), publication.lock());

    private final AttemptLifecycle lifecycle;
    private @Nullable Runnable grantRelease;

    /**
     * @param permit closed when the report is published
     * @param onPublished called then, after the permit is closed
     */
    AttemptCore(
            AttemptId attemptId,
            BeginAttempt request,
            AttemptEnvironment environment,
            AttemptCounters counters,
            LifecyclePermit permit,
            Runnable onPublished) {
        this.identity = new AttemptIdentity(attemptId, request.queryId(), request.traceContext(), environment.engine());
        this.environment = environment;
        this.counters = counters;
        this.permit = permit;
        this.onPublished = onPublished;
        this.cancellation = new Cancellation(request.deadline());
        this.observation = new Observation(manifest(request.observation()), environment.clock());
        this.lifecycle = new AttemptLifecycle(environment.clock().nanos());
    }

    private ObservationManifest manifest(ObservationConfig config) {
        // A disabled observation still seals: without a seal there would be no report.
        var effective = config.enabled() ? config : ObservationConfig.bounded(0, 0);
        var queryId = identity.queryId();
        var trace = identity.traceContext();
        return new ObservationManifest(
                identity.attemptId(),
                queryId == null ? "" : queryId.value(),
                trace == null ? null : trace.value(),
                effective,
                epochNanos());
    }

    AttemptId attemptId() {
        return identity.attemptId();
    }

    Cancellation cancellation() {
        return cancellation;
    }

    Observation observation() {
        return observation;
    }

    Publication publication() {
        return publication;
    }

    AttemptEnvironment environment() {
        return environment;
    }

    FinalizerSlot slot() {
        return slot;
    }

    long now() {
        return environment.clock().nanos();
    }

    <T extends @Nullable Object> T inLock(Function<AttemptLifecycle, T> step) {
        publication.lock().lock();
        try {
            return step.apply(lifecycle);
        } finally {
            publication.lock().unlock();
        }
    }

    void change(Consumer<AttemptLifecycle> step) {
        publication.lock().lock();
        try {
            step.accept(lifecycle);
        } finally {
            publication.lock().unlock();
        }
    }

    /** Takes the step {@code record} at the clock's time and records the boundary at the same time. */
    void cross(BoundaryKind boundary, Crossing record) {
        publication.lock().lock();
        try {
            var at = now();
            record.at(lifecycle, at);
            observation.recordBoundary(boundary, at);
        } finally {
            publication.lock().unlock();
        }
    }

    /** One step of the lifecycle that carries a time. */
    @FunctionalInterface
    interface Crossing {
        void at(AttemptLifecycle lifecycle, long nanos);
    }

    void admissionRequested() {
        cross(BoundaryKind.ADMISSION_REQUESTED, AttemptLifecycle::admissionRequested);
    }

    /** Commits the first outcome. @return false when there is one already */
    boolean tryTerminalize(Outcome outcome, @Nullable FailureSummary failure) {
        return inLock(lifecycle -> {
            if (lifecycle.outcome() != null) {
                return false;
            }
            if (failure != null) {
                lifecycle.primaryFailure(failure);
            }
            lifecycle.terminalize(outcome, now());
            return true;
        });
    }

    FailureSummary summaryOf(QueryException error) {
        return inLock(lifecycle -> FailureSummary.of(error, lifecycle.operation()));
    }

    /** The committed outcome, else the one a captured failure means, else {@code fallback}; committed after this. */
    Outcome resolveOutcome(AttemptLifecycle held, Outcome fallback) {
        var committed = held.outcome();
        if (committed != null) {
            return committed;
        }
        var failure = held.primaryFailure();
        var outcome = failure == null ? fallback : Outcome.of(failure);
        held.terminalize(outcome, now());
        return outcome;
    }

    Outcome resolveOutcome(Outcome fallback) {
        return inLock(lifecycle -> resolveOutcome(lifecycle, fallback));
    }

    /** Publishes a committed outcome: at once without an admission, else by asking for the grant's release. */
    void finishCommitted(Outcome outcome) {
        var finalizer = slot.tryTake();
        if (finalizer.isPresent()) {
            finalizer.get().finishNotAdmitted(outcome);
            seal(outcome).run();
        } else {
            requestGrantRelease();
        }
    }

    /** @return false when the outcome is committed already, so that the caller releases */
    boolean bindGrantRelease(Runnable release) {
        return inLock(lifecycle -> {
            if (lifecycle.outcome() != null) {
                return false;
            }
            grantRelease = release;
            return true;
        });
    }

    private void requestGrantRelease() {
        Runnable release = inLock(lifecycle -> {
            var bound = grantRelease;
            grantRelease = null;
            return bound == null ? () -> {} : bound;
        });
        try {
            release.run();
        } catch (RuntimeException | Error failure) {
            LOG.error("The release of the grant of attempt {} failed", attemptId(), failure);
        }
    }

    /** Seals the observation and publishes the report. @return what calls the seal observers */
    SealDelivery seal(Outcome fallback) {
        var outcome = resolveOutcome(fallback);
        // Checked before the observation ends, so that a refused seal can be repeated.
        change(AttemptLifecycle::requireFinalized);
        return observation.seal(outcome, this::publish);
    }

    private AttemptReport publish(ObservationCompleteness completeness) {
        var published = publication.publish(() -> buildReport(completeness), counters::reportReady);
        if (published.mine()) {
            afterPublication(published);
        }
        return published.report();
    }

    private AttemptReport buildReport(ObservationCompleteness completeness) {
        lifecycle.reportReady(now());
        return ReportBuilder.build(identity, lifecycle, cancellation, completeness, epochNanos());
    }

    private void afterPublication(Publication.Published published) {
        var queue = environment.abandoned();
        if (published.abandoned() && queue != null) {
            counters.abandoned(queue.tryPush(published.report()));
        }
        permit.close();
        onPublished.run();
        for (var stage : published.stages()) {
            completeLater(() -> stage.complete(published.report()));
        }
    }

    private void completeLater(Runnable completion) {
        try {
            environment.stages().execute(completion);
        } catch (RejectedExecutionException executorIsGone) {
            Thread.startVirtualThread(completion);
        }
    }

    private @Nullable Long epochNanos() {
        var wall = environment.wall();
        if (wall == null) {
            return null;
        }
        var instant = wall.instant();
        return Math.addExact(Math.multiplyExact(instant.getEpochSecond(), 1_000_000_000L), instant.getNano());
    }
}
