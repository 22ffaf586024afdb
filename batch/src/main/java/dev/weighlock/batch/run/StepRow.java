package dev.weighlock.batch.run;

import dev.weighlock.batch.BatchStatus;
import dev.weighlock.batch.ExecutionContext;
import dev.weighlock.batch.StepExecution;
import dev.weighlock.batch.repository.ChunkProgress;
import dev.weighlock.batch.repository.EnlistedWrite;
import dev.weighlock.batch.repository.JobRepository;
import dev.weighlock.batch.repository.StepChange;
import dev.weighlock.batch.testing.CrashPoint;
import java.util.Optional;
import java.util.function.Supplier;

/** The owner's view of one step execution. For the thread that runs the step. */
final class StepRow implements WorkRow {
    private final JobRepository repository;
    private final Hold hold;
    private StepExecution current;

    StepRow(JobRepository repository, Hold hold, StepExecution begun) {
        this.repository = repository;
        this.hold = hold;
        this.current = begun;
    }

    StepExecution current() {
        return current;
    }

    @Override
    public ExecutionContext context() {
        return current.context();
    }

    @Override
    public Optional<String> partition() {
        return Optional.empty();
    }

    @Override
    public long stepExecutionId() {
        return current.id();
    }

    @Override
    public void commitChunk(Supplier<ChunkProgress> progress, EnlistedWrite write) {
        current = repository.commitChunk(current, progress, write);
    }

    /** How it will be stored, for listeners that look at it before. */
    StepExecution preview(BodyResult result, RunningStep left) {
        return new StepExecution(
                current.id(),
                current.executionId(),
                current.instanceId(),
                current.name(),
                current.attempt(),
                result.status(),
                result.exitStatus(),
                current.version(),
                current.epoch(),
                result.counts(),
                left.context(),
                current.partitioned(),
                result.stopTiming(),
                current.startedAt(),
                Optional.empty(),
                result.failure(),
                left.diagnostics.text());
    }

    StepExecution finish(BodyResult result, RunningStep left) {
        var change = change(result, left);
        var write = result.status() == BatchStatus.COMPLETED ? left.enlisted() : EnlistedWrite.NONE;
        CrashPoint.reach("step.finishing");
        current = hold.get(() -> repository.update(current, change, write));
        CrashPoint.reach("step.finished");
        return current;
    }

    /** Finishes the last step, which completed and enlisted nothing, and the job by one write. */
    StepExecution finishLast(BodyResult result, RunningStep left, JobRow job, JobEnd end) {
        var change = change(result, left);
        CrashPoint.reach("step.finishing");
        CrashPoint.reach("job.finishing");
        current = job.endWith(end, (execution, over) -> repository.end(current, change, execution, over));
        CrashPoint.reach("step.finished");
        return current;
    }

    private static StepChange change(BodyResult result, RunningStep left) {
        return new StepChange(
                result.status(),
                result.exitStatus(),
                result.counts(),
                left.context(),
                result.stopTiming(),
                result.failure(),
                left.diagnostics.text(),
                left.evidence());
    }
}
