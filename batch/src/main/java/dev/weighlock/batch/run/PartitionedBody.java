package dev.weighlock.batch.run;

import dev.weighlock.batch.BatchError;
import dev.weighlock.batch.BatchException;
import dev.weighlock.batch.ExitStatus;
import dev.weighlock.batch.FailureCategory;
import dev.weighlock.batch.PartitionStatus;
import dev.weighlock.batch.StopTiming;
import dev.weighlock.batch.flow.Step;
import dev.weighlock.batch.partition.Partitioning;
import dev.weighlock.batch.repository.PartitionTotals;
import dev.weighlock.batch.repository.PlannedPartition;
import dev.weighlock.batch.testing.CrashPoint;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;

/** Runs a partitioned step: the whole plan first, then the workers, then the sum. For the step's thread. */
final class PartitionedBody {
    private static final int MAX_KEY_BYTES = 128;

    private final JobRun run;
    private final Step step;
    private final Partitioning partitioning;
    private final StepRow row;
    private final RunningStep context;

    PartitionedBody(JobRun run, Step step, Partitioning partitioning, StepRow row, RunningStep context) {
        this.run = run;
        this.step = step;
        this.partitioning = partitioning;
        this.row = row;
        this.context = context;
    }

    BodyResult run(boolean afresh) {
        try {
            plan(afresh);
        } catch (Exception e) {
            return TaskletBody.failure(e, context);
        }
        CrashPoint.reach("partition.planned");
        long planned = tellPlan();
        try (var work = new RunningPartitions(run, step, partitioning, row, context, planned)) {
            work.handle();
            return result(totals(), work);
        }
    }

    private void plan(boolean afresh) throws Exception {
        if (!afresh
                && context.attempt() > 1
                && run.hold().get(() -> run.repository().copyPlan(row.current())) > 0) {
            return;
        }
        if (context.stopToken().isStopRequested()) {
            return;
        }
        var plan = partitioning.partitioner().plan(context);
        check(plan);
        run.hold().run(() -> run.repository().plan(row.current(), plan));
    }

    private void check(List<PlannedPartition> plan) {
        if (plan.size() > Partitioning.MAX_PARTITIONS) {
            throw invalid("a plan has at most 100000 partitions, not " + plan.size());
        }
        var keys = new HashSet<String>();
        for (var partition : plan) {
            int bytes = partition.key().getBytes(StandardCharsets.UTF_8).length;
            if (bytes < 1 || bytes > MAX_KEY_BYTES) {
                throw invalid("the partition key \"" + partition.key() + "\" is not of 1 to 128 bytes");
            }
            if (!keys.add(partition.key())) {
                throw invalid("the partition key \"" + partition.key() + "\" is planned twice");
            }
            var input = partition.input().toJson();
            run.secrets().refuseIn(partition.key(), "a partition key");
            run.secrets().refuseIn(input, "the input of a partition");
            int size = input.getBytes(StandardCharsets.UTF_8).length;
            if (size > RunningStep.MAX_PARTITION_CONTEXT_BYTES) {
                throw invalid("the input of the partition \"" + partition.key() + "\" is over 4 KiB");
            }
        }
    }

    private static BatchException invalid(String message) {
        return new BatchException(BatchError.INVALID_DEFINITION, message);
    }

    private PartitionTotals totals() {
        return run.hold().get(() -> run.repository().totals(row.current()));
    }

    private long tellPlan() {
        var totals = totals();
        long planned = totals.count(PartitionStatus.PLANNED);
        long carriedOver = totals.count(PartitionStatus.COMPLETED);
        run.tell(new ProgressEvent.PartitionsPlanned(row.current(), planned, carriedOver));
        return planned;
    }

    /** UNKNOWN over FAILED over STOPPED over COMPLETED. */
    private BodyResult result(PartitionTotals totals, RunningPartitions work) {
        var counts = totals.counts();
        if (totals.count(PartitionStatus.UNKNOWN) > 0) {
            return BodyResult.unknown(counts);
        }
        if (totals.count(PartitionStatus.FAILED) > 0) {
            var failure = context.diagnostics.failed(
                    FailureCategory.CHILD_FAILED,
                    totals.count(PartitionStatus.FAILED) + " of " + totals.total() + " partitions failed: "
                            + work.failedKeys()
                            + work.firstFailure().map(text -> "\n  " + text).orElse(""));
            return BodyResult.failed(failure, counts);
        }
        var broken = work.failure();
        if (broken.isPresent()) {
            return BodyResult.failed(context.diagnostics.failed(broken.get()), counts);
        }
        if (totals.count(PartitionStatus.COMPLETED) < totals.total()) {
            return BodyResult.stopped(StopTiming.DURING_EXECUTION, counts);
        }
        if (totals.total() == 0 && context.stopToken().isStopRequested()) {
            return BodyResult.stopped(StopTiming.BEFORE_START, counts);
        }
        return balanced(counts);
    }

    private BodyResult balanced(dev.weighlock.batch.StepCounts counts) {
        if (counts.isBalanced()) {
            return BodyResult.completed(ExitStatus.COMPLETED, counts);
        }
        var failure =
                context.diagnostics.failed(FailureCategory.INTERNAL, BatchError.COUNTS_DO_NOT_BALANCE + ": " + counts);
        return BodyResult.failed(failure, counts);
    }
}
