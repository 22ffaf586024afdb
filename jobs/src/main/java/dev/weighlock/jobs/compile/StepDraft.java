package dev.weighlock.jobs.compile;

import dev.weighlock.batch.flow.Step;
import dev.weighlock.jobs.file.Budget;
import dev.weighlock.jobs.file.FileStep;
import dev.weighlock.jobs.file.OnFailure;
import dev.weighlock.jobs.file.PartitionKeys;
import dev.weighlock.jobs.file.StepWork;
import dev.weighlock.jobs.yaml.Position;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * A step being written in Java with the keys of a job file. For one thread.
 *
 * @param <D> the draft itself
 */
public abstract sealed class StepDraft<D extends StepDraft<D>>
        permits QueryDraft, SourceDraft, ChunkDraft, ShellDraft, JavaDraft {
    private final JobSteps job;
    private final String id;
    private final List<String> listeners = new ArrayList<>();
    private Optional<PartitionKeys> partition = Optional.empty();
    private OptionalInt startLimit = OptionalInt.empty();
    private boolean again;
    private OptionalLong cap = OptionalLong.empty();
    private Optional<String> pool = Optional.empty();
    private Optional<Duration> deadline = Optional.empty();

    StepDraft(JobSteps job, String id) {
        this.job = job;
        this.id = id;
    }

    abstract D self();

    abstract StepWork work();

    /** One partition a row: its first column is the key, all columns are its values. */
    public D partitionedBy(String sql) {
        return partitioned(Optional.of(sql), List.of(), Optional.empty());
    }

    public D partitionedByKeys(List<String> keys) {
        return partitioned(Optional.empty(), keys, Optional.empty());
    }

    /** By a {@link dev.weighlock.batch.partition.Partitioner} of that name. */
    public D partitionedByClass(String className) {
        return partitioned(Optional.empty(), List.of(), Optional.of(className));
    }

    private D partitioned(Optional<String> sql, List<String> keys, Optional<String> className) {
        partition = Optional.of(
                new PartitionKeys(sql.map(JobSteps::source), keys, className, OptionalInt.empty(), OnFailure.CANCEL));
        return self();
    }

    /** Workers of the partitions, and what a failed one means to the others. */
    public D workers(int count, OnFailure onFailure) {
        partition = partition.map(
                keys -> new PartitionKeys(keys.by(), keys.keys(), keys.className(), OptionalInt.of(count), onFailure));
        return self();
    }

    public D startLimit(int attempts) {
        startLimit = OptionalInt.of(attempts);
        return self();
    }

    public D allowStartIfComplete() {
        again = true;
        return self();
    }

    public D listener(String className) {
        listeners.add(className);
        return self();
    }

    final void budgetCap(long bytes) {
        cap = OptionalLong.of(bytes);
    }

    final void budgetPool(String name) {
        pool = Optional.of(name);
    }

    final void budgetDeadline(Duration time) {
        deadline = Optional.of(time);
    }

    final Budget budget() {
        return new Budget(cap, pool, deadline);
    }

    /** @throws dev.weighlock.jobs.StepFailure where a class that it names is missing */
    public Step build() {
        return job.step(new FileStep(id, Position.START, work(), partition, startLimit, again, listeners));
    }
}
