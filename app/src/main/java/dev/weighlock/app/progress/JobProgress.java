package dev.weighlock.app.progress;

import dev.weighlock.app.terminal.ProgressRow;
import dev.weighlock.app.terminal.ProgressRow.Memory;
import dev.weighlock.batch.PartitionExecution;
import dev.weighlock.batch.StepCounts;
import dev.weighlock.batch.StepExecution;
import dev.weighlock.batch.run.ProgressEvent;
import dev.weighlock.batch.run.ProgressListener;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The steps of one execution and their running partitions, kept from the events of its run. Thread-safe: its lock guards all
 * fields, and nothing is called under it.
 */
public final class JobProgress implements ProgressListener {
    private final Map<Long, Map<String, StepRow>> executions = new HashMap<>();
    /** By the id of the step execution. */
    private final Map<Long, StepRow> rows = new HashMap<>();

    /** One step; mutable under the lock of its owner. */
    private static final class StepRow {
        String state = "STARTED";
        boolean running = true;
        long rows;
        long parts;
        long totalParts;
        final Map<String, Long> runningPartitions = new LinkedHashMap<>();
    }

    @Override
    public synchronized void on(ProgressEvent event) {
        Map<String, StepRow> steps = stepsOf(event.executionId());
        switch (event) {
            case ProgressEvent.StepBegan began -> row(steps, began.step()).running = true;
            case ProgressEvent.StepEnded ended -> end(row(steps, ended.step()), ended.step());
            case ProgressEvent.StepReused reused -> reuse(row(steps, reused.step()));
            case ProgressEvent.PartitionsPlanned planned -> plan(row(steps, planned.step()), planned);
            case ProgressEvent.PartitionBegan began -> beginPartition(began.partition());
            case ProgressEvent.PartitionEnded ended -> endPartition(ended.partition());
            case ProgressEvent.ChunkCommitted chunk -> commit(chunk);
            case ProgressEvent.JobBegan _, ProgressEvent.JobEnded _, ProgressEvent.StopSeen _ -> {}
        }
    }

    private Map<String, StepRow> stepsOf(long executionId) {
        return executions.computeIfAbsent(executionId, id -> new LinkedHashMap<>());
    }

    private StepRow row(Map<String, StepRow> steps, StepExecution step) {
        StepRow row = steps.computeIfAbsent(step.name().value(), name -> new StepRow());
        rows.put(step.id(), row);
        return row;
    }

    private static void end(StepRow row, StepExecution step) {
        row.state = step.status().name();
        row.running = false;
        row.runningPartitions.clear();
        row.rows = Math.max(row.rows, rows(step.counts()));
    }

    private static void reuse(StepRow row) {
        row.state = "COMPLETED before";
        row.running = false;
    }

    private static void plan(StepRow row, ProgressEvent.PartitionsPlanned planned) {
        row.totalParts = planned.planned() + planned.carriedOver();
        row.parts = planned.carriedOver();
    }

    private void beginPartition(PartitionExecution partition) {
        StepRow row = rowOf(partition.stepExecutionId());
        if (row != null) {
            row.runningPartitions.put(partition.key(), 0L);
        }
    }

    private void endPartition(PartitionExecution partition) {
        StepRow row = rowOf(partition.stepExecutionId());
        if (row != null) {
            row.runningPartitions.remove(partition.key());
            row.parts++;
            row.rows += rows(partition.counts());
        }
    }

    private @Nullable StepRow rowOf(long stepExecutionId) {
        return rows.get(stepExecutionId);
    }

    private void commit(ProgressEvent.ChunkCommitted chunk) {
        StepRow row = rowOf(chunk.stepExecutionId());
        if (row == null) {
            return;
        }
        if (chunk.partition().isPresent()) {
            row.runningPartitions.replace(chunk.partition().get(), rows(chunk.counts()));
        } else {
            row.rows = rows(chunk.counts());
        }
    }

    /** What came through; an item that was skipped is no row. */
    private static long rows(StepCounts counts) {
        return Math.max(counts.read() - counts.skipped(), counts.written());
    }

    /**
     * The rows of one execution as of now: a process may run others beside it, which it restarted by itself.
     *
     * @param memory of a running query by its label, the step or {@code step/partition}; null when it has none
     */
    public synchronized List<ProgressRow> rows(long executionId, Function<String, @Nullable Memory> memory) {
        List<ProgressRow> shown = new ArrayList<>();
        stepsOf(executionId).forEach((name, step) -> {
            shown.add(new ProgressRow(
                    name,
                    false,
                    step.state,
                    step.running,
                    step.rows,
                    step.parts,
                    step.totalParts,
                    step.running ? memory.apply(name) : null));
            for (String key : step.runningPartitions.keySet()) {
                String label = name + "/" + key;
                long done = Objects.requireNonNullElse(step.runningPartitions.get(key), 0L);
                shown.add(new ProgressRow(label, true, "STARTED", true, done, 0, 0, memory.apply(label)));
            }
        });
        return shown;
    }
}
