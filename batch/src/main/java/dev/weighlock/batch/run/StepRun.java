package dev.weighlock.batch.run;

import dev.weighlock.batch.BatchStatus;
import dev.weighlock.batch.StepExecution;
import dev.weighlock.batch.flow.ChunkStep;
import dev.weighlock.batch.flow.Step;
import dev.weighlock.batch.flow.TaskletStep;
import dev.weighlock.batch.repository.EnlistedWrite;
import dev.weighlock.batch.shutdown.OwnedTask;
import dev.weighlock.batch.step.StepListener;
import dev.weighlock.batch.stop.StopToken;
import dev.weighlock.batch.testing.CrashPoint;
import java.util.Optional;

/** Runs one attempt at a step, from its row's creation to its end. For one thread. */
final class StepRun {
    private final JobRun run;
    private final Step step;
    private final StopToken stop;
    private final OwnedTask task;
    private final LastStep last;

    /** How the job ends where a completed step leads to its end and nobody is told in between; empty: elsewhere. */
    @FunctionalInterface
    interface LastStep {
        LastStep NOT = exitCode -> Optional.empty();

        Optional<JobEnd> endAfter(String exitCode);
    }

    StepRun(JobRun run, Step step, StopToken stop, OwnedTask task, LastStep last) {
        this.run = run;
        this.step = step;
        this.stop = stop;
        this.task = task;
        this.last = last;
    }

    /**
     * @param begunWithJob its row, where it began with the job
     * @param afresh whether the last attempt was complete, so that its plan and position do not count
     * @throws dev.weighlock.batch.BatchException START_LIMIT_EXCEEDED
     */
    StepExecution execute(Optional<StepExecution> begunWithJob, boolean afresh) {
        var begun = begunWithJob.orElseGet(this::begin);
        CrashPoint.reach("step.created");
        run.tell(new ProgressEvent.StepBegan(begun));
        var row = new StepRow(run.repository(), run.hold(), begun);
        var context = new RunningStep(run, begun, Optional.empty(), begun.context(), stop, task);
        var listeners = new Listeners<>(step.listeners(), context.diagnostics);
        var result = body(row, context, listeners, afresh);
        listeners.after("afterStep", listener -> listener.afterStep(context, row.preview(result, context)));
        var ended = finish(row, result, context);
        run.tell(new ProgressEvent.StepEnded(ended));
        return ended;
    }

    private StepExecution begin() {
        boolean partitioned = step.partitioning().isPresent();
        return run.row().call(job -> run.repository().createStep(job, step.name(), step.startLimit(), partitioned));
    }

    /**
     * An enlisted write of the user's that fails is a failure of the step. It takes what time it needs, and a stop has to be
     * stored and told meanwhile: the job's row must be free.
     */
    private StepExecution finish(StepRow row, BodyResult result, RunningStep context) {
        boolean alone = context.enlisted().equals(EnlistedWrite.NONE);
        var end = result.status() == BatchStatus.COMPLETED && alone
                ? last.endAfter(result.exitStatus().code())
                : Optional.<JobEnd>empty();
        try {
            return end.isPresent()
                    ? row.finishLast(result, context, run.row(), end.get())
                    : row.finish(result, context);
        } catch (LostExecution e) {
            throw e;
        } catch (RuntimeException e) {
            return row.finish(BodyResult.failed(context.diagnostics.failed(e), result.counts()), context);
        }
    }

    private BodyResult body(StepRow row, RunningStep context, Listeners<StepListener> listeners, boolean afresh) {
        try {
            listeners.before(listener -> listener.beforeStep(context));
        } catch (Exception e) {
            return TaskletBody.failure(e, context);
        }
        var partitioning = step.partitioning();
        return partitioning.isPresent()
                ? new PartitionedBody(run, step, partitioning.get(), row, context).run(afresh)
                : single(step, row, context, SkipBudget.of(step, row));
    }

    /** The body of a step without partitions or of one partition. */
    static BodyResult single(Step step, WorkRow row, RunningStep context, SkipBudget skips) {
        return switch (step) {
            case TaskletStep tasklet -> TaskletBody.run(tasklet.tasklet(), context);
            case ChunkStep<?, ?> chunk -> ChunkBody.run(chunk, row, context, skips);
        };
    }
}
