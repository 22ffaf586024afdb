package dev.weighlock.batch.run;

import dev.weighlock.batch.PartitionExecution;
import dev.weighlock.batch.PartitionStatus;
import dev.weighlock.batch.StopTiming;
import dev.weighlock.batch.flow.Step;
import dev.weighlock.batch.partition.LocalPartitions;
import dev.weighlock.batch.partition.OnFailure;
import dev.weighlock.batch.partition.PartitionWork;
import dev.weighlock.batch.partition.Partitioning;
import dev.weighlock.batch.repository.PartitionChange;
import dev.weighlock.batch.shutdown.OwnedTask;
import dev.weighlock.batch.shutdown.TaskPhase;
import dev.weighlock.batch.step.PartitionScope;
import dev.weighlock.batch.step.StepContext;
import dev.weighlock.batch.stop.StopSource;
import dev.weighlock.batch.testing.CrashPoint;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The claims and outcomes of one partitioned step attempt.
 *
 * <p>Thread-safe: its state is atomics; workers share nothing else but the repository, and take no row lock of step or
 * job.
 */
final class RunningPartitions implements PartitionWork, AutoCloseable {
    private static final int MAX_NAMED_KEYS = 10;
    /** The task of a worker's thread, from the executor that made it to the partitions that run on it. */
    private static final ThreadLocal<OwnedTask> WORKER_TASK = new ThreadLocal<>();

    private final JobRun run;
    private final Step step;
    private final Partitioning partitioning;
    private final StepRow row;
    private final int workers;
    private final RunningStep parent;
    private final StopSource cancel;
    private final RunningStep planner;
    private final SkipBudget skips;
    private final AtomicReference<@Nullable LostExecution> lost = new AtomicReference<>();
    private final AtomicReference<@Nullable Exception> broken = new AtomicReference<>();
    private final ConcurrentLinkedQueue<String> failedKeys = new ConcurrentLinkedQueue<>();
    private final AtomicReference<@Nullable String> firstFailure = new AtomicReference<>();

    RunningPartitions(JobRun run, Step step, Partitioning partitioning, StepRow row, RunningStep parent, long planned) {
        this.workers = (int) Math.min(partitioning.workers(), planned);
        this.run = run;
        this.step = step;
        this.partitioning = partitioning;
        this.row = row;
        this.parent = parent;
        this.cancel = new StopSource(parent.stopToken());
        this.planner =
                new RunningStep(run, row.current(), Optional.empty(), parent.context(), cancel.token(), parent.task);
        this.skips = SkipBudget.ofPartitions(step, run.repository(), row.current());
    }

    /** Runs the handler; partitions that nobody began are STOPPED when it returns. */
    void handle() {
        try {
            var handler = partitioning.handler().orElseGet(LocalPartitions::new);
            handler.handle(this);
        } catch (LostExecution e) {
            lose(e);
        } catch (Exception e) {
            if (!StopCause.explains(cancel.token(), e)) {
                broken.set(e);
            }
        }
        var gone = lost.get();
        if (gone != null) {
            throw gone;
        }
        stopPlanned();
    }

    private void stopPlanned() {
        if (cancel.token().isStopRequested() || broken.get() != null) {
            run.hold().get(() -> run.repository().stopPlanned(row.current()));
            CrashPoint.reach("partition.stopped-planned");
        }
    }

    private void lose(LostExecution e) {
        lost.compareAndSet(null, e);
        cancel.stop();
    }

    @Override
    public int workers() {
        return workers;
    }

    @Override
    public StepContext step() {
        return planner;
    }

    @Override
    public Executor executor() {
        return body -> run.spawn(TaskPhase.TASKLET, task -> {
            WORKER_TASK.set(task);
            try {
                body.run();
            } finally {
                WORKER_TASK.remove();
            }
        });
    }

    @Override
    public List<PartitionExecution> claim(int most) {
        if (cancel.token().isStopRequested()) {
            return List.of();
        }
        try {
            var claimed = run.hold().get(() -> run.repository().claim(row.current(), most));
            CrashPoint.reach("partition.claimed");
            return claimed;
        } catch (LostExecution e) {
            lose(e);
            return List.of();
        }
    }

    @Override
    public void run(PartitionExecution claimed) {
        run(claimed, () -> 0);
    }

    @Override
    public List<PartitionExecution> run(PartitionExecution claimed, IntSupplier more) {
        var task = WORKER_TASK.get();
        var partitionRow = new PartitionRow(run.repository(), run.hold(), row.current(), claimed);
        var scope = new PartitionScope(claimed.ordinal(), claimed.key(), claimed.input(), claimed.claim());
        var context = new RunningStep(
                run,
                row.current(),
                Optional.of(scope),
                claimed.context(),
                cancel.token(),
                task == null ? parent.task : task);
        try {
            var turn = partitionRow.finish(body(partitionRow, context, claimed), context, new Once(more));
            if (!turn.claimed().isEmpty()) {
                CrashPoint.reach("partition.claimed");
            }
            ended(turn.ended());
            return turn.claimed();
        } catch (LostExecution e) {
            lose(e);
        } catch (RuntimeException e) {
            fail(partitionRow, context, e);
        }
        return List.of();
    }

    /** A write that is tried again takes as many as it would have taken, and none once the work shall end. */
    private final class Once implements IntSupplier {
        private final IntSupplier asked;
        private int answer = -1;

        private Once(IntSupplier asked) {
            this.asked = asked;
        }

        @Override
        public int getAsInt() {
            if (cancel.token().isStopRequested()) {
                return 0;
            }
            if (answer < 0) {
                answer = asked.getAsInt();
            }
            return answer;
        }
    }

    private BodyResult body(PartitionRow partitionRow, RunningStep context, PartitionExecution claimed) {
        if (cancel.token().isStopRequested()) {
            return BodyResult.stopped(StopTiming.BEFORE_START, context.counts());
        }
        run.tell(new ProgressEvent.PartitionBegan(run.executionId(), claimed));
        CrashPoint.reach("partition.running");
        return StepRun.single(step, partitionRow, context, skips);
    }

    /** The outcome itself was refused, as an enlisted write of the user's may be: that is a failure of the partition. */
    private void fail(PartitionRow partitionRow, RunningStep context, RuntimeException cause) {
        try {
            var failure = context.diagnostics.failed(cause);
            ended(partitionRow
                    .finish(BodyResult.failed(failure, context.counts()), context, () -> 0)
                    .ended());
        } catch (LostExecution e) {
            lose(e);
        }
    }

    @Override
    public void finish(PartitionExecution claimed, PartitionChange outcome) {
        try {
            var partitionRow = new PartitionRow(run.repository(), run.hold(), row.current(), claimed);
            ended(partitionRow.finish(outcome));
        } catch (LostExecution e) {
            lose(e);
        }
    }

    private void ended(PartitionExecution partition) {
        run.tell(new ProgressEvent.PartitionEnded(run.executionId(), partition));
        if (partition.status() == PartitionStatus.FAILED || partition.status() == PartitionStatus.UNKNOWN) {
            failedKeys.add(partition.key());
            partition.diagnostics().ifPresent(text -> firstFailure.compareAndSet(null, partition.key() + ": " + text));
            if (partitioning.onFailure() == OnFailure.CANCEL) {
                cancel.stop();
            }
        }
    }

    /** The first few, for people. */
    String failedKeys() {
        var keys = failedKeys.stream().limit(MAX_NAMED_KEYS).toList();
        return String.join(", ", keys) + (failedKeys.size() > keys.size() ? ", …" : "");
    }

    /** The key and the text of the first partition that failed and said why. */
    Optional<String> firstFailure() {
        return Optional.ofNullable(firstFailure.get());
    }

    /** What broke the handler itself. */
    Optional<Exception> failure() {
        return Optional.ofNullable(broken.get());
    }

    @Override
    public void close() {
        cancel.close();
    }
}
