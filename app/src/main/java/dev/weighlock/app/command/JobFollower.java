package dev.weighlock.app.command;

import dev.weighlock.app.exit.CommandFailure;
import dev.weighlock.app.exit.ExitCode;
import dev.weighlock.app.progress.JobProgress;
import dev.weighlock.app.terminal.ProgressBoard;
import dev.weighlock.app.terminal.Terminal;
import dev.weighlock.app.terminal.Units;
import dev.weighlock.app.wiring.JobSession;
import dev.weighlock.batch.BatchStatus;
import dev.weighlock.batch.JobExecution;
import dev.weighlock.batch.repository.RepositoryRules;
import dev.weighlock.batch.run.RunOutcome;
import dev.weighlock.batch.run.RunningJob;
import java.io.PrintStream;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Waits for a run on the calling thread, shows its progress, and turns its end into words and an exit code. When a signal
 * asks for it, the same thread drains the session; what then still runs is left as the record says.
 */
final class JobFollower {
    private static final Duration REDRAW = Duration.ofMillis(200);

    private final Terminal terminal;
    private final boolean resultIsJson;
    private final JobProgress progress;
    private final JobSession session;
    private final ShutdownBySignal signalled;

    /** @param resultIsJson progress then goes to the error stream, since the result stream carries one document */
    JobFollower(
            Terminal terminal,
            boolean resultIsJson,
            JobProgress progress,
            JobSession session,
            ShutdownBySignal signalled) {
        this.terminal = terminal;
        this.resultIsJson = resultIsJson;
        this.progress = progress;
        this.session = session;
        this.signalled = signalled;
    }

    /** An end, or how far it came, and the exit code that stands for it. */
    record End(JobExecution execution, ExitCode code) {}

    End follow(RunningJob run) throws InterruptedException {
        Optional<RunOutcome> outcome = show(run);
        if (outcome.isEmpty()) {
            DrainText.of(session.drain(), session.drainLimit()).forEach(terminal::note);
            outcome = run.await(Duration.ZERO);
        }
        return outcome.map(this::end).orElseGet(() -> new End(run.execution(), signalled.code()));
    }

    private End end(RunOutcome outcome) {
        return switch (outcome) {
            case RunOutcome.Ended ended -> new End(ended.execution(), code(ended.execution()));
            case RunOutcome.GivenUp gone ->
                throw new CommandFailure(
                        ExitCode.OUTCOME_UNKNOWN,
                        "this process let go of execution " + gone.last().id() + ": " + gone.reason(),
                        "'wl show " + gone.last().id() + "' tells what became of it");
        };
    }

    /** Empty when a signal came first. */
    private Optional<RunOutcome> show(RunningJob run) throws InterruptedException {
        PrintStream stream = resultIsJson ? terminal.err() : terminal.out();
        boolean inPlace = resultIsJson ? terminal.errIsTerminal() : terminal.outIsTerminal();
        ProgressBoard board = new ProgressBoard(stream, inPlace, terminal.width());
        Optional<RunOutcome> outcome = Optional.empty();
        while (outcome.isEmpty() && !signalled.isRequested()) {
            outcome = run.await(REDRAW);
            board.show(progress.rows(run.executionId(), session::memoryOf), System.nanoTime());
        }
        board.finish();
        return outcome;
    }

    private ExitCode code(JobExecution execution) {
        if (execution.status() == BatchStatus.STOPPED && signalled.isRequested()) {
            return signalled.code();
        }
        return switch (execution.status()) {
            case COMPLETED -> ExitCode.DONE;
            case STOPPED -> ExitCode.STOPPED;
            case UNKNOWN -> ExitCode.OUTCOME_UNKNOWN;
            case FAILED, ABANDONED, STARTING, STARTED, STOPPING -> ExitCode.FAILED;
        };
    }

    /** A step that was started as often as it may be fails at every restart. */
    private static String afterFailure(JobExecution execution, String restart) {
        boolean used = execution
                .diagnostics()
                .filter(text -> text.contains(RepositoryRules.START_LIMIT_REACHED))
                .isPresent();
        return used
                ? "a restart would fail at once: raise start_limit and run the file, or 'wl abandon " + execution.id()
                        + "'"
                : "'" + restart + "' goes on where it was";
    }

    /** By a person or a signal: the owner saw a request, or made one itself. */
    private static boolean wasAskedFor(JobExecution execution) {
        return execution.stop().request().isPresent()
                || execution.stop().seenAt().isPresent();
    }

    /**
     * The last lines of a run: how it ended and what can be done now.
     *
     * @param restart the words of the command that goes on with it
     */
    void sayEnd(JobExecution execution, String restart) {
        Duration took =
                Duration.between(execution.createdAt(), execution.endedAt().orElseGet(Instant::now));
        terminal.line("execution " + execution.id() + " " + execution.status() + " after " + Units.duration(took));
        execution.diagnostics().ifPresent(text -> terminal.note("wl: " + text.strip()));
        switch (execution.status()) {
            case FAILED ->
                terminal.note("    'wl show " + execution.id() + "' and 'wl logs " + execution.id() + "' say more; "
                        + afterFailure(execution, restart));
            case STOPPED ->
                terminal.note(
                        wasAskedFor(execution)
                                ? "    '" + restart + "' goes on where it was"
                                : "    its flow leads to STOP, and a restart would end there again: change the flow, then"
                                        + " run the file");
            case UNKNOWN -> terminal.note("    'wl recover " + execution.id() + "' says what is recorded, and decides");
            case STARTING, STARTED, STOPPING ->
                terminal.note("    it ends with this process: '" + restart + "' recovers it and goes on where it was");
            case COMPLETED, ABANDONED -> {}
        }
    }
}
