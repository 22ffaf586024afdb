package dev.weighlock.app.command;

import dev.weighlock.app.exit.CommandFailure;
import dev.weighlock.app.exit.ExitCode;
import dev.weighlock.app.terminal.Units;
import dev.weighlock.batch.BatchStatus;
import dev.weighlock.batch.JobExecution;
import dev.weighlock.batch.JobName;
import dev.weighlock.batch.launch.LaunchResult;
import dev.weighlock.batch.launch.WaitingLaunch;
import dev.weighlock.batch.repository.Hold;
import dev.weighlock.batch.repository.QueuedLaunch;
import java.util.List;
import java.util.stream.Collectors;

/** Why a launch or restart began nothing, and what to do. */
final class LaunchRefusals {
    private LaunchRefusals() {}

    static CommandFailure of(LaunchResult result) {
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
                        "look at its outputs, then decide with 'wl recover " + last.id() + "'");
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
            case LaunchResult.Held(JobExecution last, Hold hold) ->
                new CommandFailure(
                        ExitCode.REFUSED,
                        "the instance of execution " + last.id() + " is held by " + hold.actor() + " since "
                                + Units.local(hold.since())
                                + (hold.reason().isBlank() ? "" : ": " + hold.reason()),
                        "'wl release " + last.id() + "' ends the hold");
            case LaunchResult.LimitReached(JobName job, List<JobExecution> running) ->
                new CommandFailure(
                        ExitCode.CONFLICT,
                        "the job " + job + " runs as often at once as its max_concurrent allows: execution "
                                + running.stream()
                                        .map(execution -> String.valueOf(execution.id()))
                                        .collect(Collectors.joining(", ")),
                        "wait for one to end, or let launches wait with max_concurrent: {otherwise: queue}");
            case LaunchResult.AlreadyQueued(QueuedLaunch other) ->
                new CommandFailure(
                        ExitCode.CONFLICT,
                        "launch request " + other.name() + " waits for this instance already, in process "
                                + other.waiter().pid() + " of " + other.waiter().host(),
                        "'wl stop " + other.name() + "' cancels it");
            case LaunchResult.Withdrawn(QueuedLaunch request) ->
                new CommandFailure(
                        ExitCode.STOPPED,
                        "launch request " + request.name() + " was cancelled by "
                                + request.endedBy().orElse("somebody") + "; nothing was run");
            case LaunchResult.Queued(WaitingLaunch waiting) ->
                throw new IllegalStateException(
                        "waited for before: " + waiting.request().name());
            case LaunchResult.ShuttingDown() ->
                new CommandFailure(ExitCode.CONFLICT, "this process is ending and begins nothing new");
        };
    }
}
