package dev.weighlock.batch.run;

import dev.weighlock.batch.BatchError;
import dev.weighlock.batch.FailureCategory;
import dev.weighlock.batch.StopTiming;
import dev.weighlock.batch.shutdown.TaskPhase;
import dev.weighlock.batch.tasklet.Tasklet;
import dev.weighlock.batch.tasklet.TaskletOutcome;

/** Runs a tasklet once, for a step or a partition. */
final class TaskletBody {
    private TaskletBody() {}

    /** The edge at which a user's exception becomes an outcome; an {@link Error} too, so that its step has an end. */
    static BodyResult run(Tasklet tasklet, RunningStep context) {
        if (context.stopToken().isStopRequested()) {
            return BodyResult.stopped(StopTiming.BEFORE_START, context.counts());
        }
        context.task.enter(TaskPhase.TASKLET);
        try {
            var result = result(tasklet.run(context), context);
            context.run.secrets().refuseIn(result.exitStatus().code(), "the exit code");
            return checked(result, context);
        } catch (Throwable e) {
            return failure(e, context);
        } finally {
            context.task.enter(TaskPhase.FLOW_DECISION);
            clearInterrupt(context);
        }
    }

    static BodyResult failure(Throwable failure, RunningStep context) {
        if (failure instanceof LostExecution lost) {
            throw lost;
        }
        return StopCause.explains(context.stopToken(), failure)
                ? BodyResult.stopped(StopTiming.DURING_EXECUTION, context.counts())
                : BodyResult.failed(context.diagnostics.failed(failure), context.counts());
    }

    /** An interrupt that a stop sent has been obeyed; left standing it would break the write of the outcome. */
    static void clearInterrupt(RunningStep context) {
        if (context.stopToken().isStopRequested()) {
            Thread.interrupted();
        }
    }

    private static BodyResult result(TaskletOutcome outcome, RunningStep context) {
        var counts = context.counts();
        return switch (outcome) {
            case TaskletOutcome.Completed(var exit) -> BodyResult.completed(exit, counts);
            case TaskletOutcome.CompletedBlockingWork(var exit) ->
                BodyResult.completed(exit, counts).withTiming(StopTiming.AFTER_BLOCKING_WORK);
            case TaskletOutcome.Stopped _ -> BodyResult.stopped(StopTiming.DURING_EXECUTION, counts);
            case TaskletOutcome.StoppedBeforeStart _ -> BodyResult.stopped(StopTiming.BEFORE_START, counts);
            case TaskletOutcome.StoppedAfterBlockingWork _ ->
                BodyResult.stopped(StopTiming.AFTER_BLOCKING_WORK, counts);
            case TaskletOutcome.CommitOutcomeUnknown(var detail) -> {
                context.diagnostics.add(detail);
                yield BodyResult.unknown(counts);
            }
        };
    }

    private static BodyResult checked(BodyResult result, RunningStep context) {
        if (result.counts().isBalanced()) {
            return result;
        }
        var failure = context.diagnostics.failed(
                FailureCategory.INTERNAL, BatchError.COUNTS_DO_NOT_BALANCE + ": " + result.counts());
        return BodyResult.failed(failure, result.counts());
    }
}
