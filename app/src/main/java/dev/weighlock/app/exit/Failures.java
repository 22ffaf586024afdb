package dev.weighlock.app.exit;

import dev.weighlock.batch.BatchError;
import dev.weighlock.batch.BatchException;
import dev.weighlock.jobs.StepFailure;
import dev.weighlock.jobs.config.ConfigurationException;
import dev.weighlock.query.ErrorCode;
import dev.weighlock.query.QueryException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;

/** Turns what the libraries throw into what a command says and returns. */
public final class Failures {
    private Failures() {}

    /** The failure as a command ends with it. */
    public static CommandFailure of(Throwable thrown) {
        return switch (thrown) {
            case CommandFailure failure -> failure;
            case BatchException batch -> new CommandFailure(codeOf(batch.error()), text(batch), null, batch);
            case QueryException query -> new CommandFailure(codeOf(query.code()), text(query), null, query);
            case StepFailure step -> new CommandFailure(ExitCode.FAILED, text(step), null, step);
            case ConfigurationException settings -> new CommandFailure(ExitCode.USAGE, text(settings), null, settings);
            case UncheckedIOException io when io.getCause() != null -> of(io.getCause());
            case NoSuchFileException missing ->
                new CommandFailure(
                        ExitCode.USAGE, "the file " + missing.getFile() + " does not exist", "check its name", missing);
            case AccessDeniedException denied ->
                new CommandFailure(
                        ExitCode.USAGE,
                        "no permission to use " + denied.getFile(),
                        "check its rights or name another place",
                        denied);
            case FileSystemException file -> new CommandFailure(ExitCode.FAILED, text(file), null, file);
            case IOException io -> new CommandFailure(ExitCode.FAILED, text(io), null, io);
            default ->
                new CommandFailure(
                        ExitCode.FAILED,
                        "unexpected " + thrown.getClass().getSimpleName() + ": " + text(thrown),
                        "this is a fault of wl; run again with --debug to see where",
                        thrown);
        };
    }

    private static String text(Throwable thrown) {
        // A query's code and facts are for programs; its text says all of it to people.
        String message = thrown instanceof QueryException query ? query.text() : thrown.getMessage();
        return message == null || message.isBlank() ? thrown.getClass().getSimpleName() : message;
    }

    /** The exit code of a refusal or failure of the batch runtime. */
    public static ExitCode codeOf(BatchError error) {
        return switch (error) {
            case INVALID_DEFINITION, INVALID_PARAMETER -> ExitCode.USAGE;
            case NOT_FOUND -> ExitCode.NOT_FOUND;
            case ILLEGAL_TRANSITION,
                    DEFINITION_CHANGED,
                    ALREADY_FINISHED,
                    SCHEMA_VERSION,
                    UNKNOWN_FORMAT,
                    DELIVERY_UNAVAILABLE -> ExitCode.REFUSED;
            case STALE_VERSION, FENCED, ALREADY_RUNNING, ALREADY_COMPLETE, ALREADY_DONE, SHUTTING_DOWN ->
                ExitCode.CONFLICT;
            case OUTCOME_UNKNOWN, COMMIT_OUTCOME_UNKNOWN -> ExitCode.OUTCOME_UNKNOWN;
            case REPOSITORY_UNAVAILABLE -> ExitCode.REPOSITORY;
            case START_LIMIT_EXCEEDED, TOO_LARGE, COUNTS_DO_NOT_BALANCE -> ExitCode.FAILED;
        };
    }

    /** The exit code of a query that did not succeed, for {@code wl query}. */
    public static ExitCode codeOf(ErrorCode error) {
        return switch (error) {
            case SQL_ERROR, SOURCE_NOT_FOUND, INVALID_CONFIGURATION -> ExitCode.USAGE;
            case SOURCE_ACCESS_DENIED, STATEMENT_REFUSED, QUERY_BUDGET_UNAVAILABLE, INVALID_PLAN -> ExitCode.REFUSED;
            case SERVICE_OVERLOADED -> ExitCode.BUSY;
            case CANCELLED,
                    DROPPED,
                    PANICKED,
                    DATA_ERROR,
                    QUERY_MEMORY_LIMIT_EXCEEDED,
                    QUERY_TEMP_LIMIT_EXCEEDED,
                    RESULT_LIMIT_EXCEEDED,
                    DISK_FULL,
                    ENGINE_TEMPORARY_FAILURE,
                    ENGINE_PERSISTENT_FAILURE,
                    DEVICE_FAULT,
                    ENGINE_ERROR,
                    INTERNAL,
                    RESULT_INCOMPLETE,
                    CLEANUP_FAILED,
                    INVARIANT_VIOLATION -> ExitCode.FAILED;
        };
    }
}
