package dev.weighlock.batch.run;

import dev.weighlock.batch.BatchError;
import dev.weighlock.batch.BatchException;
import dev.weighlock.batch.ExecutionContext;
import dev.weighlock.batch.StepCounts;
import dev.weighlock.batch.StepExecution;
import dev.weighlock.batch.StepName;
import dev.weighlock.batch.repository.EnlistedWrite;
import dev.weighlock.batch.shutdown.OwnedTask;
import dev.weighlock.batch.step.PartitionScope;
import dev.weighlock.batch.step.StepContext;
import dev.weighlock.batch.stop.StopToken;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One step or partition attempt as its code sees it, and what that code left to be stored. */
final class RunningStep extends RunningContext implements StepContext {
    static final int MAX_CONTEXT_BYTES = 64 * 1024;
    static final int MAX_PARTITION_CONTEXT_BYTES = 4 * 1024;
    private static final int MAX_EVIDENCE_BYTES = 256 * 1024;
    private static final String RESERVED = "weighlock.";

    private final StepExecution begun;
    private final Optional<PartitionScope> partition;
    final OwnedTask task;
    final Diagnostics diagnostics;
    private volatile ExecutionContext context;
    private volatile StepCounts counts = StepCounts.ZERO;
    private volatile Optional<String> evidence = Optional.empty();
    private volatile EnlistedWrite enlisted = EnlistedWrite.NONE;

    RunningStep(
            JobRun run,
            StepExecution begun,
            Optional<PartitionScope> partition,
            ExecutionContext context,
            StopToken stopToken,
            OwnedTask task) {
        super(run, stopToken);
        this.begun = begun;
        this.partition = partition;
        this.context = context;
        this.task = task;
        var about = "step \"" + begun.name() + "\" of execution " + begun.executionId();
        this.diagnostics = new Diagnostics(
                run.secrets(),
                partition
                        .map(scope -> "partition \"" + scope.key() + "\" of " + about)
                        .orElse(about));
    }

    @Override
    public StepName step() {
        return begun.name();
    }

    @Override
    public long stepExecutionId() {
        return begun.id();
    }

    @Override
    public int attempt() {
        return begun.attempt();
    }

    @Override
    public long epoch() {
        return begun.epoch();
    }

    @Override
    public Optional<PartitionScope> partition() {
        return partition;
    }

    @Override
    public ExecutionContext context() {
        return context;
    }

    @Override
    public void put(String key, @Nullable Object value) {
        if (key.startsWith(RESERVED)) {
            throw new BatchException(
                    BatchError.INVALID_DEFINITION, "context keys that begin with weighlock. belong to the runtime");
        }
        store(context.with(key, value));
    }

    @Override
    public void putInJob(String key, @Nullable Object value) {
        if (partition.isPresent()) {
            throw new BatchException(
                    BatchError.INVALID_DEFINITION,
                    where() + " has a context of its own; only a step without partitions puts into the job's");
        }
        store(JobEntries.with(context, key, value));
        run.row().put(key, value);
    }

    /** Replaces the context, within its bound. */
    void store(ExecutionContext next) {
        check(next);
        context = next;
    }

    /** Replaces the context by one that was checked. */
    void accept(ExecutionContext checked) {
        context = checked;
    }

    void check(ExecutionContext next) {
        int limit = partition.isPresent() ? MAX_PARTITION_CONTEXT_BYTES : MAX_CONTEXT_BYTES;
        if (next.isEmpty()) {
            return;
        }
        var json = next.toJson();
        if (utf8(json) > limit) {
            throw new BatchException(
                    BatchError.TOO_LARGE, "the context of " + where() + " is over " + limit + " bytes of JSON");
        }
        run.secrets().refuseIn(json, "the context of " + where());
    }

    private String where() {
        return partition.map(scope -> "the partition \"" + scope.key() + "\"").orElse("the step \"" + step() + "\"");
    }

    private static int utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }

    @Override
    public void evidence(String json) {
        if (utf8(json) > MAX_EVIDENCE_BYTES) {
            throw new BatchException(BatchError.TOO_LARGE, "the evidence of " + where() + " is over 256 KiB");
        }
        run.secrets().refuseIn(json, "the evidence of " + where());
        evidence = Optional.of(json);
    }

    Optional<String> evidence() {
        return evidence;
    }

    @Override
    public void counts(StepCounts recorded) {
        counts = recorded;
    }

    StepCounts counts() {
        return counts;
    }

    @Override
    public void enlist(EnlistedWrite write) {
        var before = enlisted;
        enlisted = before.equals(EnlistedWrite.NONE)
                ? write
                : connection -> {
                    before.write(connection);
                    write.write(connection);
                };
    }

    EnlistedWrite enlisted() {
        return enlisted;
    }
}
