package dev.weighlock.batch.launch;

import dev.weighlock.batch.run.JobRun;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The executions that this node runs now. Thread-safe. */
final class ActiveRuns {
    private static final Logger LOG = LoggerFactory.getLogger(ActiveRuns.class);
    private static final int MAX_EARLY = 1000;

    private final Map<Long, JobRun> runs = new ConcurrentHashMap<>();
    /** Stops told between the creation of an execution and its entry here. */
    private final Set<Long> early = ConcurrentHashMap.newKeySet();
    /** Who stops everything, also what is entered later: a launch may be between its creation and its entry. */
    private volatile @Nullable String stopper;

    void add(JobRun run) {
        runs.put(run.executionId(), run);
        var all = stopper;
        if (all != null) {
            run.stop(all);
        } else if (early.remove(run.executionId())) {
            run.stopRequested();
        }
    }

    void remove(JobRun run) {
        runs.remove(run.executionId());
    }

    /** A stop was requested in the repository. */
    void stop(long executionId) {
        var run = runs.get(executionId);
        if (run != null) {
            run.stopRequested();
            return;
        }
        if (early.size() >= MAX_EARLY) {
            // Stale ones only: the poll finds what is lost here.
            early.clear();
        }
        early.add(executionId);
        var added = runs.get(executionId);
        if (added != null && early.remove(executionId)) {
            added.stopRequested();
        }
    }

    /** @param actor who the record says asked for it */
    void stopAll(String actor) {
        stopper = actor;
        each("stop", run -> run.stop(actor));
    }

    void letGoAll(String why) {
        each("let go", run -> run.letGo(why));
    }

    /** One that cannot be told, such as for want of a thread, keeps nobody from telling the others. */
    private void each(String what, Consumer<JobRun> act) {
        for (var run : runs.values()) {
            try {
                act.accept(run);
            } catch (RuntimeException | Error e) {
                LOG.error("could not {} execution {}", what, run.executionId(), e);
            }
        }
    }

    List<JobRun> all() {
        return List.copyOf(runs.values());
    }
}
