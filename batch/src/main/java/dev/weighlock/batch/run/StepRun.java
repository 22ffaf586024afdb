package dev.weighlock.batch.run;

import dev.weighlock.batch.StepExecution;
import dev.weighlock.batch.flow.ChunkStep;
import dev.weighlock.batch.flow.Step;
import dev.weighlock.batch.flow.TaskletStep;
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

    StepRun(JobRun run, Step step, StopToken stop, OwnedTask task) {
        this.run = run;
        this.step = step;
        this.stop = stop;
        this.task = task;
    }

    /**
     * @param afresh whether the last attempt was complete, so that its plan and position do not count
     * @throws dev.weighlock.batch.BatchException START_LIMIT_EXCEEDED
     */
    StepExecution execute(boolean afresh) {
        boolean partitioned = step.partitioning().isPresent();
        var begun =
                run.row().call(job -> run.repository().createStep(job, step.name(), step.startLimit(), partitioned));
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

    /** An enlisted write of the user's that fails is a failure of the step. */
    private static StepExecution finish(StepRow row, BodyResult result, RunningStep context) {
        try {
            return row.finish(result, context);
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
