package dev.weighlock.batch.run;

import dev.weighlock.batch.ExecutionContext;
import dev.weighlock.batch.PartitionExecution;
import dev.weighlock.batch.PartitionStatus;
import dev.weighlock.batch.StepExecution;
import dev.weighlock.batch.repository.ChunkProgress;
import dev.weighlock.batch.repository.EnlistedWrite;
import dev.weighlock.batch.repository.JobRepository;
import dev.weighlock.batch.repository.PartitionChange;
import dev.weighlock.batch.testing.CrashPoint;
import java.util.Optional;
import java.util.function.Supplier;

/** A worker's view of the partition that it claimed. For that worker's thread. */
final class PartitionRow implements WorkRow {
    private final JobRepository repository;
    private final Hold hold;
    private final StepExecution step;
    private PartitionExecution current;

    PartitionRow(JobRepository repository, Hold hold, StepExecution step, PartitionExecution claimed) {
        this.repository = repository;
        this.hold = hold;
        this.step = step;
        this.current = claimed;
    }

    @Override
    public ExecutionContext context() {
        return current.context();
    }

    @Override
    public Optional<String> partition() {
        return Optional.of(current.key());
    }

    @Override
    public long stepExecutionId() {
        return step.id();
    }

    @Override
    public void commitChunk(Supplier<ChunkProgress> progress, EnlistedWrite write) {
        current = repository.commitChunk(step, current, progress, write);
    }

    PartitionExecution finish(BodyResult result, RunningStep left) {
        var change = new PartitionChange(
                result.partitionStatus(),
                result.exitStatus(),
                result.counts(),
                left.context(),
                result.failure(),
                left.diagnostics.text(),
                left.evidence());
        var write = change.status() == PartitionStatus.COMPLETED ? left.enlisted() : EnlistedWrite.NONE;
        return finish(change, write);
    }

    PartitionExecution finish(PartitionChange change, EnlistedWrite write) {
        CrashPoint.reach("partition.finishing");
        current = hold.get(() -> repository.update(step, current, change, write));
        CrashPoint.reach("partition.finished");
        return current;
    }
}
