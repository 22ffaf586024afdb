package dev.weighlock.batch.run;

import dev.weighlock.batch.ExecutionContext;
import dev.weighlock.batch.PartitionExecution;
import dev.weighlock.batch.PartitionStatus;
import dev.weighlock.batch.StepExecution;
import dev.weighlock.batch.repository.ChunkProgress;
import dev.weighlock.batch.repository.EnlistedWrite;
import dev.weighlock.batch.repository.JobRepository;
import dev.weighlock.batch.repository.PartitionChange;
import dev.weighlock.batch.repository.PartitionTurn;
import dev.weighlock.batch.testing.CrashPoint;
import java.util.List;
import java.util.Optional;
import java.util.function.IntSupplier;
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

    /** @param more how many planned ones to take by the same write, where it completed */
    PartitionTurn finish(BodyResult result, RunningStep left, IntSupplier more) {
        var change = new PartitionChange(
                result.partitionStatus(),
                result.exitStatus(),
                result.counts(),
                left.context(),
                result.failure(),
                left.diagnostics.text(),
                left.evidence());
        if (change.status() != PartitionStatus.COMPLETED) {
            return new PartitionTurn(finish(change), List.of());
        }
        CrashPoint.reach("partition.finishing");
        var turn = hold.get(() -> repository.updateAndClaim(step, current, change, left.enlisted(), more));
        current = turn.ended();
        CrashPoint.reach("partition.finished");
        return turn;
    }

    PartitionExecution finish(PartitionChange change) {
        CrashPoint.reach("partition.finishing");
        current = hold.get(() -> repository.update(step, current, change, EnlistedWrite.NONE));
        CrashPoint.reach("partition.finished");
        return current;
    }
}
