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
import java.nio.file.Path;
import java.util.Map;

/** A command that executes a job in this process and waits for it. */
public abstract class ExecutingCommand extends RepositoryCommand {
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
            return switch (launch.in(session)) {
                case LaunchResult.Launched launched -> {
                    sayBegin(launched.run().execution(), workspace);
                    JobFollower follower = new JobFollower(terminal(), json, progress, session, signalled);
                    JobFollower.End end = follower.follow(launched.run());
                    report(session, follower, end.execution());
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
                            .note("already complete: execution "
                                    + complete.winner().id());
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
                case LaunchResult refused -> throw refusal(refused);
            };
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
            follower.sayEnd(execution);
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

    private static CommandFailure refusal(LaunchResult result) {
        return switch (result) {
            case LaunchResult.Launched launched ->
                throw new IllegalStateException("no refusal: " + launched.run().executionId());
            case LaunchResult.AlreadyRunning(JobExecution winner) ->
                new CommandFailure(
                        ExitCode.CONFLICT,
                        "execution " + winner.id() + " runs this instance already",
                        "'wl show " + winner.id() + "' tells how far it is, 'wl stop " + winner.id() + "' stops it");
            case LaunchResult.AlreadyComplete(JobExecution winner) ->
                new CommandFailure(
                        ExitCode.CONFLICT,
                        "this instance is over: execution " + winner.id() + " is " + winner.status(),
                        "other identifying parameters make a new instance"
                                + (winner.status() == BatchStatus.COMPLETED
                                        ? "; 'wl run --if-not-complete' takes a complete one for done"
                                        : ""));
            case LaunchResult.OutcomeUnknown(JobExecution last) ->
                new CommandFailure(
                        ExitCode.OUTCOME_UNKNOWN,
                        "the outcome of execution " + last.id() + " is unknown",
                        "look at its outputs, then 'wl abandon " + last.id() + "' or recover it");
            case LaunchResult.DefinitionChanged changed ->
                throw new IllegalStateException("said before: " + changed.last().id());
            case LaunchResult.Superseded(JobExecution last) ->
                new CommandFailure(
                        ExitCode.CONFLICT,
                        "that is not the last execution of its instance: execution " + last.id() + " is",
                        "'wl restart " + last.id() + "'");
            case LaunchResult.NotFound(long id) ->
                new CommandFailure(
                        ExitCode.NOT_FOUND, "there is no execution " + id, "see 'wl executions' for those that are");
            case LaunchResult.DefinitionUnavailable unavailable ->
                new CommandFailure(
                        ExitCode.REFUSED,
                        "execution " + unavailable.last().id() + " is of a job in Java that this program does not have",
                        "restart it from the program that has it");
            case LaunchResult.TooFewConnections(int needed, int available) ->
                new CommandFailure(
                        ExitCode.REFUSED,
                        "the job's workers need " + needed + " connections at once and the repository's pool has "
                                + available,
                        "lower 'workers' or say 'repository: {pool: " + needed + "}' in weighlock.yaml");
            case LaunchResult.ShuttingDown() ->
                new CommandFailure(ExitCode.CONFLICT, "this process is ending and begins nothing new");
        };
    }
}
