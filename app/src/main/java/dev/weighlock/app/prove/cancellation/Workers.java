package dev.weighlock.app.prove.cancellation;

import dev.weighlock.app.prove.stand.Pulse;
import dev.weighlock.app.prove.stand.Stand;
import dev.weighlock.app.prove.stand.Target;
import dev.weighlock.batch.ExitStatus;
import dev.weighlock.batch.flow.Job;
import dev.weighlock.batch.flow.TaskletStep;
import dev.weighlock.batch.partition.Partitioning;
import dev.weighlock.batch.step.StepContext;
import dev.weighlock.batch.stop.StopToken;
import dev.weighlock.batch.tasklet.BlockingTasklets;
import dev.weighlock.batch.tasklet.Tasklet;
import dev.weighlock.batch.tasklet.TaskletOutcome;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The bodies of a partitioned job. Each writes its heartbeat row from its first to its last step. Without a gate every
 * body works for a while unless it is stopped; with one, the first key completes at once and others stay in their phase
 * until the stop: all of them, but where a body cannot see the stop exactly one, for the others must still be at work
 * when it is let go.
 *
 * <p>Thread-safe.
 */
final class Workers {
    /** Rows that the bodies of a transaction write in it. */
    static final String EFFECTS = Target.SCHEMA + ".effect";

    private final Stand stand;
    private final Shape shape;
    private final Phase phase;
    private final @Nullable Gate gate;
    private final StopSeen stopSeen;
    private final Seams seams;
    private final Occupancy occupancy = new Occupancy();

    /** Lets a stopped body stay until somebody outside has seen that its execution stops. */
    @FunctionalInterface
    interface StopSeen {
        void await(long execution) throws InterruptedException;
    }

    Workers(Stand stand, Shape shape, Phase phase, @Nullable Gate gate, StopSeen stopSeen, Seams seams) {
        this.stand = stand;
        this.shape = shape;
        this.phase = phase;
        this.gate = gate;
        this.stopSeen = stopSeen;
        this.seams = seams;
    }

    Occupancy occupancy() {
        return occupancy;
    }

    /** The job that they work for. */
    Job job(String name) {
        return Job.named(name)
                .step(TaskletStep.named("work", tasklet(name))
                        .partitioned(Partitioning.keys(shape.keys()).withWorkers(shape.workers()))
                        .build())
                .build();
    }

    private Tasklet tasklet(String job) {
        if (phase != Phase.BLOCKING) {
            return context -> run(job, context);
        }
        return new BlockingTasklets(shape.workers()).adapt(context -> {
            run(job, context);
            return ExitStatus.COMPLETED;
        });
    }

    private TaskletOutcome run(String job, StepContext context) throws Exception {
        String key = context.partition().orElseThrow().key();
        Work work = new Work(
                job,
                context.executionId(),
                key,
                context.attempt(),
                context.stopToken(),
                stand.bodies(),
                stand.target());
        return seams.body().run(work, this::body);
    }

    private TaskletOutcome body(Work work) throws Exception {
        occupancy.enter();
        try (Pulse pulse = work.bodies().begin(work.execution(), work.key())) {
            TaskletOutcome outcome = phase == Phase.TRANSACTION ? inTransaction(work, pulse) : work(work, pulse);
            pulse.outcome(outcome instanceof TaskletOutcome.Completed ? "COMPLETED" : "STOPPED");
            return outcome;
        } finally {
            occupancy.leave();
        }
    }

    private TaskletOutcome work(Work work, Pulse pulse) throws Exception {
        if (gate != null && work.key().equals(shape.keys().getFirst())) {
            return TaskletOutcome.COMPLETED;
        }
        if (phase == Phase.BLOCKING) {
            block(work, pulse);
            return TaskletOutcome.COMPLETED;
        }
        if (gate != null) {
            gate.enter();
        }
        if (!awaitStop(work.stop(), gate == null ? shape.workOf(work.key()) : shape.limit(), pulse)) {
            return TaskletOutcome.COMPLETED;
        }
        stopSeen.await(work.execution());
        return TaskletOutcome.STOPPED;
    }

    private void block(Work work, Pulse pulse) throws Exception {
        if (gate != null && work.key().equals(shape.keys().get(1))) {
            gate.enter();
            long until = System.nanoTime() + shape.limit().toNanos();
            while (!gate.awaitRelease(shape.beat()) && System.nanoTime() < until) {
                pulse.beat();
            }
        } else {
            awaitStop(StopToken.never(), shape.workOf(work.key()), pulse);
        }
    }

    /** Opens the transaction before it says that it is in its phase, and ends it by its own word. */
    private TaskletOutcome inTransaction(Work work, Pulse pulse) throws Exception {
        try (Connection connection = stand.target().connect()) {
            connection.setAutoCommit(false);
            read(connection);
            if (stand.target().writersAtOnce()) {
                write(connection, work.key());
            }
            TaskletOutcome outcome = work(work, pulse);
            if (outcome instanceof TaskletOutcome.Completed) {
                connection.commit();
            } else {
                connection.rollback();
            }
            return outcome;
        }
    }

    private static void read(Connection connection) throws SQLException {
        try (var statement = connection.createStatement();
                var row = statement.executeQuery("SELECT count(*) FROM job_instance")) {
            row.next();
        }
    }

    private static void write(Connection connection, String key) throws SQLException {
        try (var insert = connection.prepareStatement("INSERT INTO " + EFFECTS + " (partition_key) VALUES (?)")) {
            insert.setString(1, key);
            insert.executeUpdate();
        }
    }

    /** Waits for the stop at most so long, and lives meanwhile; whether it came. */
    private boolean awaitStop(StopToken stop, Duration atMost, Pulse pulse) throws Exception {
        long until = System.nanoTime() + atMost.toNanos();
        while (true) {
            long left = until - System.nanoTime();
            if (left <= 0) {
                return stop.isStopRequested();
            }
            if (stop.await(Duration.ofNanos(Math.min(left, shape.beat().toNanos())))) {
                return true;
            }
            pulse.beat();
        }
    }
}
