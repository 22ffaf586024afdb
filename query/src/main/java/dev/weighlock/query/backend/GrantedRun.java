package dev.weighlock.query.backend;

import dev.weighlock.query.ErrorCode;
import dev.weighlock.query.Facts;
import dev.weighlock.query.QueryException;
import dev.weighlock.query.attempt.AttemptAdmission;
import dev.weighlock.query.attempt.AttemptLifecycleException;
import dev.weighlock.query.attempt.AttemptOwner;
import dev.weighlock.query.attempt.TerminalCommit;
import dev.weighlock.query.device.Grant;
import dev.weighlock.query.engine.EngineSession;
import dev.weighlock.query.engine.FileResult;
import dev.weighlock.query.engine.SessionRelease;
import dev.weighlock.query.engine.SessionRequest;
import dev.weighlock.query.engine.SessionUsage;
import dev.weighlock.query.engine.StatementProfile;
import dev.weighlock.query.lifecycle.LifecyclePermit;
import dev.weighlock.query.report.CapacityDisposition;
import dev.weighlock.query.report.CleanupPhase;
import dev.weighlock.query.report.FaultEvidence;
import dev.weighlock.query.report.HealthTransition;
import dev.weighlock.query.report.Outcome;
import dev.weighlock.query.report.OutcomeKind;
import dev.weighlock.query.report.ResourceEvidence;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A query inside its grant, from the grant to the sealed report, on one platform thread. When the outcome is fixed
 * elsewhere, by a cancel or the deadline, the thread still brings the cleanup to its end; should that take too long, the
 * report is sealed without it and the grant stays charged until the engine lets go.
 *
 * <p>{@code this} guards {@code session} and {@code releasing}.
 */
final class GrantedRun {
    private static final Logger LOG = LoggerFactory.getLogger(GrantedRun.class);

    private final Services services;
    private final QueryRequest request;
    private final AttemptOwner owner;
    private final AttemptAdmission admission;
    private final Grant grant;
    private final LifecyclePermit permit;
    private final SessionWork work;
    private final PageHandover pages;
    private final AtomicBoolean sealed = new AtomicBoolean();
    private @Nullable EngineSession session;
    private boolean releasing;
    /** Of the query's own thread, as all that follows its end. */
    private DataSets.@Nullable Use use;

    private OutsideSamples.@Nullable Watch watch;

    private volatile @Nullable FileResult file;
    private volatile @Nullable SessionUsage usage;
    private volatile @Nullable StatementProfile profile;
    private volatile OptionalLong outside = OptionalLong.empty();
    private volatile @Nullable Throwable failure;
    private volatile long cleaningSinceNanos;

    GrantedRun(
            Services services,
            QueryRequest request,
            AttemptOwner owner,
            AttemptAdmission admission,
            Grant grant,
            LifecyclePermit permit,
            SessionWork work) {
        this.services = services;
        this.request = request;
        this.owner = owner;
        this.admission = admission;
        this.grant = grant;
        this.permit = permit;
        this.work = work;
        this.pages = new PageHandover(services, owner.attemptId(), grant);
    }

    void start() {
        if (admission.bindGrantRelease(this::beginRelease) == AttemptAdmission.Binding.ALREADY_TERMINAL) {
            beginRelease();
        }
        try {
            services.queryThreads().start("weighlock-query-" + owner.attemptId(), this::run);
        } catch (Throwable e) {
            fail(new QueryException(
                    ErrorCode.INTERNAL, "start", "the query's thread did not start: " + e, Facts.none(), e));
        }
    }

    /** A query that has no thread of its own ends on the one that granted it: nothing of it runs yet. */
    private void fail(QueryException unstarted) {
        failure = unstarted;
        try {
            owner.commitQueryError(unstarted);
        } catch (AttemptLifecycleException another) {
            LOG.debug("attempt {} had ended before it started: {}", owner.attemptId(), another.violation());
        }
        finish();
    }

    /** The outcome is committed: the engine is asked to end, and every byte counts until it has. */
    private void beginRelease() {
        EngineSession running;
        synchronized (this) {
            releasing = true;
            running = session;
        }
        cleaningSinceNanos = services.clock().nanos();
        admission.reportPublisher().beginCleanup();
        services.admission().beginCleaning(grant, "the engine is letting go", this::overdue);
        if (running != null) {
            running.cancel();
        }
    }

    private void run() {
        try {
            owner.run(() -> {
                execute();
                return null;
            });
        } catch (Throwable e) {
            // The owner has committed what it means; readers and the summary get the exception itself.
            failure = e;
        }
        finish();
    }

    private void execute() throws InterruptedException {
        var handle = owner.handle();
        handle.recordPhysicalExecutionStarted();
        use = services.dataSets().use(work.dataSets());
        watch = services.samples().begin(request.profiled());
        var opened = services.engine().open(sessionRequest());
        synchronized (this) {
            session = opened;
            if (releasing) {
                opened.cancel();
            }
        }
        handle.recordDeviceExecutionStarted();
        file = work.run(opened, sessionRequest().resultAllowanceBytes() / 2);
        work.pages().ifPresent(pages::prepare);
    }

    private SessionRequest sessionRequest() {
        var scope = request.scope();
        return new SessionRequest(
                owner.attemptId().toString(),
                grant.bytes(),
                scope.readDirectories(),
                scope.writeDirectories(),
                scope.timeZone(),
                services.settings().tempLimitBytes(),
                work.dataSets());
    }

    /** Samples the engine, decides, commits the device's health, seals, and gives capacity back only where nothing is held. */
    private void finish() {
        switch (release()) {
            case SessionRelease.Proved _ -> {
                seal(commit(
                        pages.isFrozen() && hasSucceeded()
                                ? CapacityDisposition.FROZEN_RESIDENT
                                : CapacityDisposition.RELEASED,
                        HealthTransition.HEALTHY_REUSE));
                settlePages(pages::publish);
                // A backend that has closed holds no byte any more, so the bytes go first.
                if (use != null) {
                    use.close();
                }
                grant.close();
                permit.close();
            }
            case SessionRelease.NotProved(var held) ->
                retain(held, commit(CapacityDisposition.RETAINED_QUARANTINE, HealthTransition.HEALTHY_REUSE));
            case SessionRelease.Faulted(var held, var fault) -> {
                // Before the report: whoever reads it finds the device closed.
                var health = closeDevice(fault);
                retain(
                        held,
                        commit(CapacityDisposition.RETAINED_QUARANTINE, health).withFaultEvidence(fault));
            }
        }
    }

    private void retain(String held, TerminalCommit commit) {
        LOG.error("{} keeps its bytes: {}", grant, held);
        recordCleanupFailure(held);
        seal(commit);
        settlePages(pages::keep);
    }

    private boolean hasSucceeded() {
        return owner.handle()
                .outcome()
                .filter(outcome -> outcome.kind() == OutcomeKind.SUCCEEDED)
                .isPresent();
    }

    /** Pages are for those who wait for a success. */
    private void settlePages(Runnable ofASuccess) {
        if (hasSucceeded()) {
            ofASuccess.run();
        } else {
            pages.drop();
        }
    }

    private HealthTransition closeDevice(FaultEvidence fault) {
        var reason = "the device failed while attempt " + owner.attemptId() + " was on it";
        return switch (fault.isolation()) {
            case DEVICE_LOCAL -> {
                grant.closeDeviceForLocalFault(reason);
                yield HealthTransition.DEVICE_QUARANTINED;
            }
            case UNKNOWN -> {
                grant.closeDeviceForUnknownIsolation(reason);
                yield HealthTransition.BACKEND_UNHEALTHY;
            }
        };
    }

    private SessionRelease release() {
        EngineSession opened;
        synchronized (this) {
            opened = session;
        }
        if (watch != null) {
            outside = watch.end();
        }
        if (opened == null) {
            return new SessionRelease.Proved("no session was opened");
        }
        try {
            usage = opened.usage().orElse(null);
            profile = request.profiled() ? opened.profile().orElse(null) : null;
            return opened.release();
        } catch (RuntimeException e) {
            LOG.error("releasing the session of attempt {} failed", owner.attemptId(), e);
            return new SessionRelease.NotProved(e.toString());
        }
    }

    /** The engine does not let go: the report comes without it. */
    private void overdue() {
        LOG.warn("{} is not let go by the engine; its report is sealed, its bytes stay charged", grant);
        if (!sealed.get()) {
            recordCleanupFailure("the engine did not let go in time");
            seal(commit(CapacityDisposition.RETAINED_QUARANTINE, HealthTransition.HEALTHY_REUSE));
            settlePages(pages::keep);
        }
    }

    private void recordCleanupFailure(String held) {
        var handle = owner.handle();
        if (!sealed.get()) {
            handle.recordCleanupFailure(
                    CleanupPhase.ENGINE_SESSION, new QueryException(ErrorCode.CLEANUP_FAILED, "release", held));
        }
    }

    private TerminalCommit commit(CapacityDisposition disposition, HealthTransition health) {
        var commit = TerminalCommit.of(disposition, health);
        var measured = usage;
        if (measured != null) {
            commit = commit.withPeakBytes(measured.peakBytes() + work.resultPeakBytes());
            if (outside.isPresent()) {
                // Neither figure has the rows on the JVM's heap in it.
                commit = commit.withOvershootBytes(Math.max(0, outside.getAsLong() - measured.peakBytes()));
            }
        }
        if (failure instanceof QueryException error && error.code() == ErrorCode.QUERY_MEMORY_LIMIT_EXCEEDED) {
            commit = commit.withResourceEvidence(new ResourceEvidence(
                    grant.bytes(), services.settings().device().queryShareBytes()));
        }
        return commit;
    }

    private void seal(TerminalCommit commit) {
        if (sealed.compareAndSet(false, true)) {
            admission.finishAdmitted(commit);
            admission.reportPublisher().seal(Outcome.DROPPED).run();
        }
    }

    /** The file, once the query has succeeded. */
    @Nullable
    FileResult file() {
        return file;
    }

    PageHandover pages() {
        return pages;
    }

    @Nullable
    SessionUsage usage() {
        return usage;
    }

    @Nullable
    StatementProfile profile() {
        return profile;
    }

    @Nullable
    Throwable failure() {
        return failure;
    }

    long grantBytes() {
        return grant.bytes();
    }

    long cleaningSinceNanos() {
        return cleaningSinceNanos;
    }

    OptionalDouble progress() {
        EngineSession opened;
        synchronized (this) {
            opened = session;
        }
        return opened == null ? OptionalDouble.empty() : opened.progress();
    }
}
