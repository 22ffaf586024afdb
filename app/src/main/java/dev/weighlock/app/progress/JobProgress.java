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
    private final Map<String, StepRow> steps = new LinkedHashMap<>();
    private final Map<Long, String> stepNames = new HashMap<>();

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
        switch (event) {
            case ProgressEvent.StepBegan began -> begin(began.step());
            case ProgressEvent.StepEnded ended -> end(ended.step());
            case ProgressEvent.StepReused reused -> reuse(reused.step());
            case ProgressEvent.PartitionsPlanned planned -> plan(planned);
            case ProgressEvent.PartitionBegan began -> beginPartition(began.partition());
            case ProgressEvent.PartitionEnded ended -> endPartition(ended.partition());
            case ProgressEvent.ChunkCommitted chunk -> commit(chunk);
            case ProgressEvent.JobBegan _, ProgressEvent.JobEnded _, ProgressEvent.StopSeen _ -> {}
        }
    }

    private StepRow row(StepExecution step) {
        stepNames.put(step.id(), step.name().value());
        return steps.computeIfAbsent(step.name().value(), name -> new StepRow());
    }

    private void begin(StepExecution step) {
        row(step).running = true;
    }

    private void end(StepExecution step) {
        StepRow row = row(step);
        row.state = step.status().name();
        row.running = false;
        row.runningPartitions.clear();
        row.rows = Math.max(row.rows, rows(step.counts()));
    }

    private void reuse(StepExecution step) {
        StepRow row = row(step);
        row.state = "COMPLETED before";
        row.running = false;
    }

    private void plan(ProgressEvent.PartitionsPlanned planned) {
        StepRow row = row(planned.step());
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
        String name = stepNames.get(stepExecutionId);
        return name == null ? null : steps.get(name);
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

    private static long rows(StepCounts counts) {
        return Math.max(counts.read(), counts.written());
    }

    /**
     * The rows as of now.
     *
     * @param memory of a running query by its label, the step or {@code step/partition}; null when it has none
     */
    public synchronized List<ProgressRow> rows(Function<String, @Nullable Memory> memory) {
        List<ProgressRow> rows = new ArrayList<>();
        steps.forEach((name, step) -> {
            rows.add(new ProgressRow(
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
                rows.add(new ProgressRow(label, true, "STARTED", true, done, 0, 0, memory.apply(label)));
            }
        });
        return rows;
    }
}
