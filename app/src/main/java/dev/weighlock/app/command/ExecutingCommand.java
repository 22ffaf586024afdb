package dev.weighlock.app.command;

import dev.weighlock.app.exit.CommandFailure;
import dev.weighlock.app.exit.ExitCode;
import dev.weighlock.app.progress.JobProgress;
import dev.weighlock.app.view.ExecutionView;
import dev.weighlock.app.view.Phrases;
import dev.weighlock.app.wiring.JobSession;
import dev.weighlock.app.wiring.Workspace;
import dev.weighlock.batch.BatchStatus;
import dev.weighlock.batch.JobExecution;
import dev.weighlock.batch.launch.LaunchResult;
import dev.weighlock.batch.launch.WaitingLaunch;
import dev.weighlock.batch.run.RunOutcome;
import dev.weighlock.batch.run.RunningJob;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** A command that executes a job in this process and waits for it. */
public abstract class ExecutingCommand extends RepositoryCommand {
    private static final Duration LOOK = Duration.ofMillis(200);

    protected ExecutingCommand(Invocation invocation) {
        super(invocation);
    }

    /** Begins the execution that the command is about. */
    interface Launch {
        LaunchResult in(JobSession session) throws Exception;
    }

    /**
     * Opens a session, recovers what dead processes left, launches, follows to the end.
     *
     * @param shellAllowed whether shell steps may run
     * @param completeIsDone an instance that is complete already is no failure
     */
    final ExitCode execute(Workspace workspace, boolean shellAllowed, boolean completeIsDone, Launch launch)
            throws Exception {
        JobProgress progress = new JobProgress();
        try (ShutdownBySignal signalled = new ShutdownBySignal(invocation());
                JobSession session = JobSession.open(workspace, invocation().actor(), shellAllowed, progress)) {
            signalled.reaches(session::requestShutdown);
            session.recoverDead().forEach(this::sayRecovered);
            return answer(
                    session,
                    workspace,
                    signalled,
                    progress,
                    completeIsDone,
                    began(session, workspace, signalled, launch.in(session)));
        }
    }

    /** Waits for a slot where there is none yet; takes over what this very process restarted by itself. */
    private LaunchResult began(JobSession session, Workspace workspace, ShutdownBySignal signalled, LaunchResult result)
            throws InterruptedException {
        return switch (result) {
            case LaunchResult.Queued(WaitingLaunch waiting) ->
                new SlotWait(
                                terminal(),
                                signalled,
                                workspace.settings().repository().poll())
                        .await(waiting);
            case LaunchResult.AlreadyRunning(JobExecution winner) ->
                session.runOf(winner.id())
                        .<LaunchResult>map(LaunchResult.Launched::new)
                        .orElse(result);
            case LaunchResult.Superseded(JobExecution last) ->
                session.runOf(last.id())
                        .<LaunchResult>map(LaunchResult.Launched::new)
                        .orElse(result);
            case LaunchResult other -> other;
        };
    }

    private ExitCode answer(
            JobSession session,
            Workspace workspace,
            ShutdownBySignal signalled,
            JobProgress progress,
            boolean completeIsDone,
            LaunchResult result)
            throws Exception {
        return switch (result) {
            case LaunchResult.Launched launched -> {
                sayBegin(launched.run().execution(), workspace);
                JobFollower follower = new JobFollower(terminal(), json, progress, session, signalled);
                JobFollower.End end = follower.follow(launched.run());
                report(session, follower, end.execution());
                awaitOthers(session, signalled, end.execution().id());
                yield end.code();
            }
            case LaunchResult.ShuttingDown()
            when signalled.isRequested() -> {
                terminal().note("nothing was begun");
                yield signalled.code();
            }
            case LaunchResult.AlreadyComplete complete
            when completeIsDone && complete.winner().status() == BatchStatus.COMPLETED -> {
                terminal()
                        .note("already complete: execution " + complete.winner().id());
                if (json) {
                    printJson(ExecutionView.read(session.repository(), complete.winner(), Integer.MAX_VALUE)
                            .document());
                }
                yield ExitCode.DONE;
            }
            case LaunchResult.DefinitionChanged changed ->
                throw new CommandFailure(
                        ExitCode.REFUSED,
                        "the definition changed since execution "
                                + changed.last().id()
                                + session.fileOf(changed.last())
                                        .map(file -> ", which ran " + file)
                                        .orElse("")
                                + ": " + String.join(", ", changed.changed()),
                        "run that file as it was, add --accept-change STEP for each changed step, or rename the"
                                + " job where it is another one");
            case LaunchResult refused -> {
                awaitOthers(session, signalled, -1);
                throw LaunchRefusals.of(refused);
            }
        };
    }

    /** What this process restarted because its owner died would be stopped by leaving. */
    private void awaitOthers(JobSession session, ShutdownBySignal signalled, long own) throws InterruptedException {
        for (RunningJob other : session.runs()) {
            if (other.executionId() == own || signalled.isRequested()) {
                continue;
            }
            terminal()
                    .note("execution " + other.executionId() + " of "
                            + other.execution().instance().name()
                            + " was restarted here since its process died: waiting for its end (Ctrl-C stops it)");
            Optional<RunOutcome> outcome = Optional.empty();
            while (outcome.isEmpty() && !signalled.isRequested()) {
                outcome = other.await(LOOK);
            }
            terminal()
                    .note("execution " + other.executionId() + " is "
                            + other.execution().status());
        }
    }

    /** Runs a job file with these parameters in a workspace of its own choice. */
    protected final ExitCode runFile(Workspace workspace, Path file, Map<String, String> parameters) throws Exception {
        RunOptions options = new RunOptions();
        parameters.forEach((name, value) -> options.given.add(name + "=" + value));
        return execute(workspace, false, false, JobText.read(file, options, workspace, terminal())::launch);
    }

    private void report(JobSession session, JobFollower follower, JobExecution execution) throws Exception {
        if (json) {
            printJson(ExecutionView.read(session.repository(), execution, Integer.MAX_VALUE)
                    .document());
        } else {
            String shell = session.runsPrograms(execution) ? " --allow-shell" : "";
            follower.sayEnd(execution, "wl restart " + execution.id() + shell);
        }
        afterEnd(session, execution);
    }

    /** Called once the execution has ended and was reported. */
    protected void afterEnd(JobSession session, JobExecution execution) throws Exception {}

    private void sayBegin(JobExecution execution, Workspace workspace) {
        String parameters = Phrases.parameters(execution.parameters());
        String text = "execution " + execution.id() + " of "
                + execution.instance().name().value()
                + (execution.attempt() > 1 ? ", attempt " + execution.attempt() : "")
                + (parameters.isEmpty() ? "" : " (" + parameters + ")")
                + ", recorded in " + workspace.repository().name();
        if (json) {
            terminal().note(text);
        } else {
            terminal().line(text);
        }
    }

    private void sayRecovered(JobExecution execution) {
        terminal()
                .note("recovered execution " + execution.id() + " of "
                        + execution.instance().name().value() + ": its process is gone, it is " + execution.status()
                        + " now");
    }
}
