package dev.weighlock.jobs.query;

import dev.weighlock.batch.FailureCategory;
import dev.weighlock.jobs.StepFailure;
import dev.weighlock.jobs.file.SqlSource;
import dev.weighlock.query.ErrorCode;
import dev.weighlock.query.QueryException;
import dev.weighlock.query.Reason;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a failed query means to its step. */
final class QueryFailures {
    private QueryFailures() {}

    private static final Pattern ENGINE_LINE = Pattern.compile("(?m)^LINE (\\d+): ");

    /** @param sql where the query stands in the job */
    static StepFailure of(QueryException failure, SqlSource sql) {
        for (Throwable cause = failure.getCause(); cause != null; cause = cause.getCause()) {
            if (cause instanceof StepFailure own) {
                // Rows that came from outside failed, not the query around them.
                return own;
            }
        }
        return new StepFailure(category(failure), placed(failure.text(), sql), failure);
    }

    /** The text behind the file and the line it is about. */
    private static String placed(String text, SqlSource sql) {
        Matcher line = ENGINE_LINE.matcher(text);
        if (!line.find()) {
            return sql.file() + ":" + sql.textAt().line() + ": " + text;
        }
        int down = Integer.parseInt(line.group(1)) - 1;
        // The engine counts from the beginning of the text. Blanks instead keep its pointer below the right word.
        String unnumbered = line.replaceFirst(" ".repeat(line.group().length()));
        return sql.file() + ":" + sql.textAt().linesDown(down).line() + ": " + unnumbered;
    }

    private static FailureCategory category(QueryException failure) {
        if (failure.code() == ErrorCode.CANCELLED) {
            return isDeadline(failure) ? FailureCategory.DEADLINE_EXPIRED : FailureCategory.STEP_FAILED;
        }
        if (failure.code() == ErrorCode.DATA_ERROR) {
            return FailureCategory.DATA_ERROR;
        }
        if (failure.code() == ErrorCode.SOURCE_NOT_FOUND) {
            return FailureCategory.DEPENDENCY_FAILED;
        }
        return switch (failure.code().kind()) {
            case RESOURCE -> FailureCategory.RESOURCE_LIMIT;
            case DEPENDENCY -> FailureCategory.DEPENDENCY_FAILED;
            case INTERNAL, INVARIANT -> FailureCategory.INTERNAL;
            case CANCELLED, CONTROL, INPUT, PLANNING -> FailureCategory.STEP_FAILED;
        };
    }

    static boolean isDeadline(QueryException failure) {
        return failure.facts().has(Reason.DEADLINE_EXPIRED);
    }
}
