package dev.weighlock.app.command;

import dev.weighlock.app.exit.CommandFailure;
import dev.weighlock.app.exit.ExitCode;
import dev.weighlock.app.progress.JobProgress;
import dev.weighlock.app.terminal.ProgressBoard;
import dev.weighlock.app.terminal.ProgressRow.Memory;
import dev.weighlock.app.terminal.Signals;
import dev.weighlock.app.terminal.Terminal;
import dev.weighlock.app.terminal.Units;
import dev.weighlock.batch.BatchStatus;
import dev.weighlock.batch.JobExecution;
import dev.weighlock.batch.run.RunOutcome;
import dev.weighlock.batch.run.RunningJob;
import java.io.PrintStream;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Waits for a run on the calling thread, shows its progress, and turns its end into words and an exit code. The first Ctrl-C or
 * SIGTERM asks the run to stop; the second ends the process at once.
 */
final class JobFollower {
    private static final Duration REDRAW = Duration.ofMillis(200);

    private final Terminal terminal;
    private final boolean resultIsJson;
    private final JobProgress progress;
    private final Function<String, @Nullable Memory> memory;

    /** @param resultIsJson progress then goes to the error stream, since the result stream carries one document */
    JobFollower(
            Terminal terminal, boolean resultIsJson, JobProgress progress, Function<String, @Nullable Memory> memory) {
        this.terminal = terminal;
        this.resultIsJson = resultIsJson;
        this.progress = progress;
        this.memory = memory;
    }

    /** An end and the exit code that stands for it. */
    record End(JobExecution execution, ExitCode code) {}

    End follow(RunningJob run) throws InterruptedException {
        try (Signals signals = Signals.take(code -> askToStop(run))) {
            RunOutcome outcome = show(run);
            return switch (outcome) {
                case RunOutcome.Ended ended -> new End(ended.execution(), code(ended.execution(), signals.exitCode()));
                case RunOutcome.GivenUp gone ->
                    throw new CommandFailure(
                            ExitCode.OUTCOME_UNKNOWN,
                            "this process let go of execution " + gone.last().id() + ": " + gone.reason(),
                            "'wl show " + gone.last().id() + "' tells what became of it");
            };
        }
    }

    private void askToStop(RunningJob run) {
        terminal.note("stopping: running work ends cleanly and commits (again to end at once)");
        run.stop();
    }

    private RunOutcome show(RunningJob run) throws InterruptedException {
        PrintStream stream = resultIsJson ? terminal.err() : terminal.out();
        boolean inPlace = resultIsJson ? terminal.errIsTerminal() : terminal.outIsTerminal();
        ProgressBoard board = new ProgressBoard(stream, inPlace, terminal.width());
        Optional<RunOutcome> outcome = Optional.empty();
        while (outcome.isEmpty()) {
            outcome = run.await(REDRAW);
            board.show(progress.rows(memory), System.nanoTime());
        }
        board.finish();
        return outcome.get();
    }

    /** Of an ended execution; {@code signal} is the exit code of the signal that came, 0 for none. */
    private static ExitCode code(JobExecution execution, int signal) {
        if (execution.status() == BatchStatus.STOPPED && signal != 0) {
            return signal == ExitCode.INTERRUPTED.number() ? ExitCode.INTERRUPTED : ExitCode.TERMINATED;
        }
        return switch (execution.status()) {
            case COMPLETED -> ExitCode.DONE;
            case STOPPED -> ExitCode.STOPPED;
            case UNKNOWN -> ExitCode.OUTCOME_UNKNOWN;
            case FAILED, ABANDONED, STARTING, STARTED, STOPPING -> ExitCode.FAILED;
        };
    }

    /** The last lines of a run: how it ended and what can be done now. */
    void sayEnd(JobExecution execution) {
        Duration took =
                Duration.between(execution.createdAt(), execution.endedAt().orElseGet(Instant::now));
        terminal.line("execution " + execution.id() + " " + execution.status() + " after " + Units.duration(took));
        execution.diagnostics().ifPresent(text -> terminal.note("wl: " + text.strip()));
        switch (execution.status()) {
            case FAILED ->
                terminal.note("    'wl show " + execution.id() + "' and 'wl logs " + execution.id()
                        + "' say more; 'wl restart " + execution.id() + "' goes on where it was");
            case STOPPED -> terminal.note("    'wl restart " + execution.id() + "' goes on where it was");
            case UNKNOWN -> terminal.note("    'wl show " + execution.id() + "' says what is not known");
            case COMPLETED, ABANDONED, STARTING, STARTED, STOPPING -> {}
        }
    }
}
