package dev.weighlock.app.wiring;

import dev.weighlock.batch.shutdown.Drained;
import dev.weighlock.batch.shutdown.OwnedTask;
import dev.weighlock.batch.shutdown.OwnedTasks;
import dev.weighlock.batch.shutdown.ShutdownCoordinator;
import dev.weighlock.batch.shutdown.ShutdownHooks;
import dev.weighlock.batch.shutdown.TaskPhase;
import dev.weighlock.query.backend.QueryHandle;
import dev.weighlock.query.backend.QueryRequest;
import dev.weighlock.query.report.CancelReason;

/** What one process needs to run queries outside of jobs, with the same shutdown that jobs have. Thread-safe. */
public final class QuerySession implements AutoCloseable {
    private final BackendOnDemand backend;
    private final OwnedTasks tasks = new OwnedTasks("weighlock-query", this::cancelAll);
    private final ShutdownCoordinator coordinator;
    private volatile boolean stopping;

    private QuerySession(Workspace workspace) {
        backend = new BackendOnDemand(() -> Backends.open(workspace));
        coordinator = new ShutdownCoordinator(workspace.settings().shutdown(), tasks, ShutdownHooks.NONE);
        coordinator.own(backend);
    }

    /** The backend opens with the first query. */
    public static QuerySession open(Workspace workspace) {
        return new QuerySession(workspace);
    }

    /**
     * Takes a query; a shutdown cancels it.
     *
     * @throws dev.weighlock.batch.BatchException SHUTTING_DOWN after the first request
     */
    public QueryHandle submit(QueryRequest request) {
        try (OwnedTask _ = tasks.begin(TaskPhase.FLOW_DECISION)) {
            QueryHandle handle = backend.submit(request);
            if (stopping) {
                // Whoever asked may have looked for queries before this one was there.
                handle.cancel(CancelReason.CALLER);
            }
            return handle;
        }
    }

    private void cancelAll() {
        stopping = true;
        backend.live().forEach(query -> query.cancel(CancelReason.CALLER));
    }

    /** Cancels every query and begins nothing new; again ends the waiting of a {@link #drain}. */
    public void requestShutdown() {
        coordinator.requestShutdown();
    }

    /** Closes the backend and tells what its engine has not let go of. */
    public Drained drain() {
        return coordinator.drain();
    }

    @Override
    public void close() {
        coordinator.shutdown();
    }
}
