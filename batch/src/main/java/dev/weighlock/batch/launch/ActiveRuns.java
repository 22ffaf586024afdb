package dev.weighlock.batch.launch;

import dev.weighlock.batch.run.JobRun;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The executions that this node runs now. Thread-safe. */
final class ActiveRuns {
    private static final int MAX_EARLY = 1000;

    private final Map<Long, JobRun> runs = new ConcurrentHashMap<>();
    /** Stops told between the creation of an execution and its entry here. */
    private final Set<Long> early = ConcurrentHashMap.newKeySet();

    void add(JobRun run) {
        runs.put(run.executionId(), run);
        if (early.remove(run.executionId())) {
            run.stop();
        }
    }

    void remove(JobRun run) {
        runs.remove(run.executionId());
    }

    void stop(long executionId) {
        var run = runs.get(executionId);
        if (run != null) {
            run.stop();
            return;
        }
        if (early.size() >= MAX_EARLY) {
            // Stale ones only: the poll finds what is lost here.
            early.clear();
        }
        early.add(executionId);
        var added = runs.get(executionId);
        if (added != null && early.remove(executionId)) {
            added.stop();
        }
    }

    void stopAll() {
        runs.values().forEach(JobRun::stop);
    }

    void letGoAll(String why) {
        runs.values().forEach(run -> run.letGo(why));
    }

    List<JobRun> all() {
        return List.copyOf(runs.values());
    }
}
