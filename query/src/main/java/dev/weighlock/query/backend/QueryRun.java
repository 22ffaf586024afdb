package dev.weighlock.query.backend;

import dev.weighlock.query.AttemptId;
import dev.weighlock.query.Deadline;
import dev.weighlock.query.ErrorCode;
import dev.weighlock.query.Facts;
import dev.weighlock.query.QueryException;
import dev.weighlock.query.admission.AdmissionDecision;
import dev.weighlock.query.admission.AdmissionOutcome;
import dev.weighlock.query.admission.AdmissionRequest;
import dev.weighlock.query.admission.AdmissionTicket;
import dev.weighlock.query.attempt.AttemptAdmission;
import dev.weighlock.query.attempt.AttemptBegin;
import dev.weighlock.query.attempt.AttemptLifecycleException;
import dev.weighlock.query.attempt.AttemptOwner;
import dev.weighlock.query.attempt.BeginAttempt;
import dev.weighlock.query.device.Grant;
import dev.weighlock.query.device.QueryCap;
import dev.weighlock.query.engine.FileResult;
import dev.weighlock.query.lifecycle.LifecyclePermit;
import dev.weighlock.query.report.AdmissionFact;
import dev.weighlock.query.report.AdmissionWait;
import dev.weighlock.query.report.AttemptReport;
import dev.weighlock.query.report.CancelReason;
import dev.weighlock.query.report.Disposition;
import dev.weighlock.query.report.Outcome;
import dev.weighlock.query.report.OutcomeKind;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One query on its way: planned on a virtual thread, queued on none, then handed to its {@link GrantedRun}. The attempt's
 * owner decides every race over the outcome; the fields here only remember where the query is.
 */
final class QueryRun implements QueryHandle {
    private static final Logger LOG = LoggerFactory.getLogger(QueryRun.class);

    private final Services services;
    private final QueryRequest request;
    private final AttemptOwner owner;
    private final ResultQueue rows;
    private final Map<AttemptId, QueryHandle> live;
    private final CountDownLatch done = new CountDownLatch(1);
    private volatile @Nullable AdmissionTicket ticket;
    private volatile long queuedSinceNanos;
    private volatile @Nullable SessionWork work;
    private volatile @Nullable GrantedRun granted;
    private volatile @Nullable QueryException error;
    private volatile @Nullable QuerySummary summary;
    private volatile List<String> tables = List.of();

    private QueryRun(Services services, QueryRequest request, AttemptBegin begun, Map<AttemptId, QueryHandle> live) {
        this.services = services;
        this.request = request;
        this.owner = begun.owner();
        this.live = live;
        this.rows = new ResultQueue(() -> cancel(CancelReason.CALLER));
    }

    /** Begins the attempt and starts planning. The query is in {@code live} until it is sealed. */
    static QueryRun start(Services services, QueryRequest request, Map<AttemptId, QueryHandle> live) {
        var deadline = request.limits().deadline();
        var begin = deadline == null
                ? BeginAttempt.standard()
                : BeginAttempt.standard().withDeadline(Deadline.after(services.clock(), deadline));
        var begun = services.attempts().begin(begin);
        var run = new QueryRun(services, request, begun, live);
        live.put(run.attemptId(), run);
        run.owner.registerReportSink(services.metrics()::record);
        run.owner.registerReportSink(run::sealed);
        var _ = begun.completion().stage().thenRun(run.done::countDown);
        var _ = run.owner.cancellation().onCancel(run::cancelled);
        Thread.ofVirtual().name("weighlock-plan-" + run.attemptId()).start(run::planAndRequest);
        return run;
    }

    private void planAndRequest() {
        try {
            var planned = plan();
            owner.handle().recordDisposition(Disposition.NATIVE);
            requestGrant(planned);
        } catch (AttemptLifecycleException e) {
            // Cancelled meanwhile; whatever took the outcome seals the attempt.
            LOG.debug("attempt {} ended while it was planned: {}", attemptId(), e.violation());
        } catch (QueryException e) {
            fail(e);
        } catch (RuntimeException | Error e) {
            fail(new QueryException(ErrorCode.INTERNAL, "plan", "planning failed: " + e, Facts.none(), e));
        }
    }

    private @Nullable PlannedQuery plan() {
        var statement = request.work().sql();
        if (statement.isEmpty()) {
            return null;
        }
        owner.handle().recordPlanningStarted();
        var plan = Statements.plan(services, statement.get(), request.scope());
        tables = plan.tables();
        var planned = new PlannedQuery(
                plan.bind(statement.get().values()),
                DataSets.named(plan.tables(), request.scope().dataSets()));
        owner.handle().recordPlanningFinished();
        return planned;
    }

    private void fail(QueryException e) {
        error = e;
        try {
            owner.commitQueryError(e);
        } catch (AttemptLifecycleException another) {
            LOG.debug("attempt {} had ended before it failed: {}", attemptId(), e.code());
        }
    }

    private void requestGrant(@Nullable PlannedQuery planned) {
        var asked = admissionRequest();
        var prepared = new SessionWork(request, planned, owner.handle(), sink());
        work = prepared;
        queuedSinceNanos = services.clock().nanos();
        // From here on the claim alone can seal the attempt, so whatever is thrown ends as a refusal.
        var admission = owner.admissionBinding().claim();
        switch (decision(asked)) {
            case AdmissionOutcome outcome -> decided(admission, prepared, outcome);
            case AdmissionTicket waiting -> {
                ticket = waiting;
                if (owner.cancellation().isCancelled()) {
                    waiting.cancel();
                }
                var _ = waiting.stage().thenAccept(outcome -> decided(admission, prepared, outcome));
            }
        }
    }

    private RowSink sink() {
        return request.work() instanceof QueryWork.KeepPages pages
                ? new PageBuilder(
                        pages.rowsPerPage(), services.keptResults().limits().bytes())
                : rows;
    }

    private AdmissionDecision decision(AdmissionRequest asked) {
        try {
            return services.admission().request(asked);
        } catch (Throwable e) {
            return new AdmissionOutcome.Refused(asQueryError(e));
        }
    }

    private static QueryException asQueryError(Throwable e) {
        return e instanceof QueryException known
                ? known
                : new QueryException(ErrorCode.INTERNAL, "admission", "admission failed: " + e, Facts.none(), e);
    }

    private AdmissionRequest admissionRequest() {
        var cap = request.limits().capBytes();
        return new AdmissionRequest(
                attemptId(),
                cap == null ? QueryCap.DEFAULT : QueryCap.of(cap),
                request.limits().pool(),
                Set.of(),
                request.parent(),
                owner.cancellation().deadline().map(Deadline::atNanos).orElse(Long.MAX_VALUE),
                Objects.requireNonNullElse(request.label(), attemptId().toString()));
    }

    /** Runs on whichever thread decided the admission, so it only passes the grant on. */
    private void decided(AttemptAdmission admission, SessionWork prepared, AdmissionOutcome outcome) {
        switch (outcome) {
            case AdmissionOutcome.Refused(var refusal) -> {
                error = refusal;
                admission.refuse(refusal).run();
            }
            case AdmissionOutcome.Admitted admitted -> admitted(admission, prepared, admitted);
        }
    }

    private void admitted(AttemptAdmission admission, SessionWork prepared, AdmissionOutcome.Admitted admitted) {
        var grant = admitted.grant();
        LifecyclePermit permit = null;
        try {
            permit = services.lifecycle().beginDeviceResource(attemptId());
            var run = new GrantedRun(services, request, owner, admission, grant, permit, prepared);
            if (tryRecord(admission, admitted)) {
                granted = run;
                run.start();
                return;
            }
        } catch (Throwable e) {
            var refusal = asQueryError(e);
            error = refusal;
            giveBack(grant, permit);
            admission.refuse(refusal).run();
            return;
        }
        giveBack(grant, permit);
        admission
                .reportPublisher()
                .seal(admission.finishNotAdmitted(Outcome.DROPPED))
                .run();
    }

    private static void giveBack(Grant grant, @Nullable LifecyclePermit permit) {
        if (permit != null) {
            permit.close();
        }
        grant.close();
    }

    private static boolean tryRecord(AttemptAdmission admission, AdmissionOutcome.Admitted admitted) {
        var facts = admitted.facts();
        return admission.tryRecordAdmitted(
                new AdmissionFact(facts.sequence(), facts.waitNanos(), facts.deviceOrdinal(), facts.grantBytes()),
                facts.passes() == 0 ? null : new AdmissionWait(null, facts.passes()));
    }

    /** A cancel or the deadline: the outcome is fixed at once, whatever the query is at. */
    private void cancelled() {
        owner.close();
        var waiting = ticket;
        if (waiting != null) {
            waiting.cancel();
        }
        if (owner.handle().outcome().equals(Optional.of(Outcome.CANCELLED))) {
            rows.fail(endedError());
        }
    }

    /** What a query that did not succeed throws to its caller. */
    private QueryException endedError() {
        var cancelled = owner.cancellation().error("query");
        if (cancelled.isPresent() && owner.handle().outcome().equals(Optional.of(Outcome.CANCELLED))) {
            return cancelled.get();
        }
        var run = granted;
        if (run != null && run.failure() instanceof QueryException failure) {
            return failure;
        }
        var known = error;
        if (known != null) {
            return known;
        }
        var cause = run == null ? null : run.failure();
        return new QueryException(
                ErrorCode.PANICKED,
                "query",
                "the query ended by " + cause + "; its report says more",
                Facts.none(),
                cause);
    }

    private void sealed(AttemptReport report) {
        var run = granted;
        var usage = run == null ? null : run.usage();
        var failed = report.outcome().kind() == OutcomeKind.SUCCEEDED ? null : endedError();
        if (failed != null) {
            rows.fail(failed);
        }
        if (request.work() instanceof QueryWork.ImportRows imported) {
            imported.source().close();
        }
        summary = new QuerySummary(
                report,
                request.label(),
                failed,
                usage == null ? null : Long.valueOf(usage.tempBytes()),
                run == null ? null : run.profile(),
                tables);
        live.remove(attemptId());
    }

    @Override
    public AttemptId attemptId() {
        return owner.attemptId();
    }

    @Override
    public QueryRequest request() {
        return request;
    }

    @Override
    public QueryState state() {
        var ended = summary;
        if (ended != null) {
            return new QueryState.Done(ended);
        }
        return switch (owner.handle().phase()) {
            case PLANNING, ADMISSION -> new QueryState.Planning();
            case QUEUE -> waiting();
            case EXECUTION, FETCH -> new QueryState.Running(grantBytes());
            case CLEANUP -> {
                var run = granted;
                yield new QueryState.Cleaning(grantBytes(), since(run == null ? 0 : run.cleaningSinceNanos()));
            }
        };
    }

    private QueryState waiting() {
        var waiting = ticket;
        var reason = waiting == null
                ? Optional.<String>empty()
                : waiting.waitReason().map(why -> why.text());
        return new QueryState.Waiting(since(queuedSinceNanos), reason.orElse("admission is being decided"));
    }

    private long grantBytes() {
        var run = granted;
        return run == null ? 0 : run.grantBytes();
    }

    private Duration since(long nanos) {
        return Duration.ofNanos(services.clock().nanos() - nanos);
    }

    @Override
    public QueryRows rows() {
        if (!(request.work() instanceof QueryWork.Select)) {
            throw new IllegalStateException("the query is no select; its rows are not handed over");
        }
        return rows;
    }

    @Override
    public FileResult awaitFile() throws InterruptedException {
        if (!(request.work() instanceof QueryWork.WriteFile || request.work() instanceof QueryWork.ImportRows)) {
            throw new IllegalStateException("the query declares no file");
        }
        return Objects.requireNonNull(awaitSuccess().file(), "a file query that succeeded has its file");
    }

    @Override
    public PagedResult awaitPages() throws InterruptedException {
        if (!(request.work() instanceof QueryWork.KeepPages)) {
            throw new IllegalStateException("the query keeps no pages");
        }
        return awaitSuccess().pages().await();
    }

    private GrantedRun awaitSuccess() throws InterruptedException {
        var failed = await().error();
        if (failed != null) {
            throw failed;
        }
        return Objects.requireNonNull(granted, "a query that succeeded was granted");
    }

    @Override
    public QuerySummary await() throws InterruptedException {
        done.await();
        return Objects.requireNonNull(summary, "a sealed query has its summary");
    }

    @Override
    public Optional<QuerySummary> summary() {
        return Optional.ofNullable(summary);
    }

    @Override
    public QueryProgress progress() {
        var run = granted;
        var doing = work;
        return new QueryProgress(
                run == null ? OptionalDouble.empty() : run.progress(),
                doing == null ? 0 : doing.resultRows(),
                rows.unreadBytes());
    }

    @Override
    public void cancel(CancelReason reason) {
        owner.cancellation().cancel(reason);
    }
}
