package dev.weighlock.query.backend;

import dev.weighlock.query.AttemptId;
import dev.weighlock.query.Deadline;
import dev.weighlock.query.MonotonicClock;
import dev.weighlock.query.admission.AdmissionService;
import dev.weighlock.query.admission.AdmissionSnapshot;
import dev.weighlock.query.attempt.AttemptCounters;
import dev.weighlock.query.attempt.AttemptEnvironment;
import dev.weighlock.query.attempt.Attempts;
import dev.weighlock.query.attempt.DeadlineWatch;
import dev.weighlock.query.device.DeviceLedger;
import dev.weighlock.query.device.HeldGrants;
import dev.weighlock.query.device.LedgerReport;
import dev.weighlock.query.engine.QueryEngine;
import dev.weighlock.query.lifecycle.BackendClosing;
import dev.weighlock.query.lifecycle.BackendLifecycle;
import dev.weighlock.query.lifecycle.ClosingReport;
import dev.weighlock.query.lifecycle.ClosingSteps;
import dev.weighlock.query.lifecycle.OpenHandleWatch;
import dev.weighlock.query.lifecycle.OpenHandles;
import dev.weighlock.query.metric.MetricsSnapshot;
import dev.weighlock.query.metric.MetricsStore;
import dev.weighlock.query.report.CancelReason;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs queries, each inside a grant that it waits for first. Thread-safe. Whoever opened it closes it.
 */
public final class QueryBackend implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(QueryBackend.class);
    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(60);
    private static final AtomicLong LAST_GENERATION = new AtomicLong();

    private final Services services;
    private final DeviceLedger ledger;
    private final DeadlineWatch deadlines = new DeadlineWatch();
    private final OpenHandleWatch openHandles;
    private final BackendClosing closing;
    private final Map<AttemptId, QueryHandle> live = new ConcurrentHashMap<>();

    private QueryBackend(
            BackendSettings settings,
            QueryEngine engine,
            Consumer<OpenHandles.Handle> forgotten,
            ThreadFactory queryThreads) {
        var clock = MonotonicClock.SYSTEM;
        var lifecycle = new BackendLifecycle(clock);
        var metrics = new MetricsStore(
                LAST_GENERATION.incrementAndGet(), List.of(settings.device().deviceOrdinal()));
        this.ledger = new DeviceLedger(settings.device(), clock);
        ledger.observeTransitions(metrics);
        lifecycle.openHandles().include(new HeldGrants(ledger));
        this.services = new Services(
                settings,
                engine,
                clock,
                lifecycle,
                new Attempts(
                        AttemptEnvironment.of(lifecycle, clock, engine.name()).withDeadlines(deadlines)),
                AdmissionService.start(settings.admission(), List.of(ledger), clock),
                new DataSets(ledger.cache(), settings.device().cacheCapBytes()),
                new KeptResults(settings.keptResults(), clock),
                new OutsideSamples(NativeMemory::read),
                metrics,
                new QueryThreads(queryThreads));
        this.closing = new BackendClosing(lifecycle, new Steps());
        this.openHandles = new OpenHandleWatch(lifecycle.openHandles(), settings.openHandleLimit(), forgotten);
    }

    /**
     * Opens a backend on one engine.
     *
     * @param engine stays its opener's to close, after this backend
     */
    public static QueryBackend open(BackendSettings settings, QueryEngine engine) {
        return open(settings, engine, OpenHandleWatch::log);
    }

    /** @param forgotten told once of each grant, permit, lease and receiver that stays open too long */
    static QueryBackend open(BackendSettings settings, QueryEngine engine, Consumer<OpenHandles.Handle> forgotten) {
        return open(settings, engine, forgotten, Thread.ofPlatform().daemon().factory());
    }

    /** @param queryThreads make the threads that granted queries run on */
    static QueryBackend open(
            BackendSettings settings,
            QueryEngine engine,
            Consumer<OpenHandles.Handle> forgotten,
            ThreadFactory queryThreads) {
        return new QueryBackend(settings, engine, forgotten, queryThreads);
    }

    /**
     * Takes a query. Returns at once; whatever happens to the query is told by its handle, its refusal too.
     *
     * @throws dev.weighlock.query.QueryException CANCELLED with the reason backend_closing once close has begun
     */
    public QueryHandle submit(QueryRequest request) {
        return QueryRun.start(services, request, live);
    }

    /** The queries that are not sealed, in the order in which they began. */
    public List<QueryHandle> live() {
        return live.values().stream()
                .sorted(Comparator.comparing(QueryHandle::attemptId))
                .toList();
    }

    /** A query that is not sealed. */
    public Optional<QueryHandle> find(AttemptId attempt) {
        return Optional.ofNullable(live.get(attempt));
    }

    /** The results kept for paging, the oldest first. */
    public List<PagedResult> keptResults() {
        return services.keptResults().results();
    }

    /** The kept result of a query; empty once it has ended. */
    public Optional<PagedResult> keptResult(AttemptId attempt) {
        return services.keptResults().find(attempt);
    }

    /** The device's books with every grant. */
    public LedgerReport device() {
        return ledger.report();
    }

    /** The queue with everyone's reason to wait. */
    public AdmissionSnapshot admission() {
        return services.admission().snapshot();
    }

    /** Gauges of the device and counts of the queries that ended, at one moment. */
    public MetricsSnapshot metrics() {
        return services.metrics().snapshot();
    }

    /** How many queries began and how many have their reports. */
    public AttemptCounters.Snapshot counters() {
        return services.attempts().counters();
    }

    /** Every grant, permit, lease and receiver that is open now, with its holder, the oldest first. */
    public List<OpenHandles.Handle> openHandles() {
        return services.lifecycle().openHandles().open();
    }

    /** As {@link #close()}, until a deadline of the caller's; may be repeated. */
    public ClosingReport close(Duration limit) throws InterruptedException {
        var report = closing.closeBy(Deadline.after(services.clock(), limit));
        if (report.isComplete()) {
            deadlines.close();
            services.queryThreads().close();
            services.samples().close();
            openHandles.close();
        }
        return report;
    }

    /**
     * As {@link #close(Duration)}, for a process that will not wait any longer: what the engine has not let go of by then is
     * sealed all the same, its capacity RETAINED_QUARANTINE. May be repeated.
     *
     * @return where the close stood before that, with what is held
     */
    public ClosingReport closeOrQuarantine(Duration limit) throws InterruptedException {
        var report = close(limit);
        if (!report.isComplete()) {
            // The closing thread may not have come that far.
            services.attempts().cancelAll(CancelReason.SHUTDOWN);
            services.admission().giveUpCleaning();
        }
        return report;
    }

    /**
     * Refuses new queries, cancels queued and running ones, ends kept results, and waits until all are sealed and no page is
     * open, a minute at most.
     */
    @Override
    public void close() {
        try {
            var report = close(CLOSE_LIMIT);
            if (!report.isComplete()) {
                LOG.error("the backend is closed but not empty: {}", report);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            LOG.warn("interrupted while closing the backend: {}", closing.report());
        }
    }

    private final class Steps implements ClosingSteps {
        @Override
        public void closeAdmission() {
            // The queue before the device: a closed device would refuse the waiters as if it were broken.
            services.admission().close();
        }

        @Override
        public void refuseQueued() {
            // Closing admission has told them already.
        }

        @Override
        public void cancelRunning() {
            services.attempts().cancelAll(CancelReason.SHUTDOWN);
            services.keptResults().close();
        }

        @Override
        public void releaseGeneration() {
            ledger.closeAdmissionIfOpen("backend_closing");
        }
    }
}
