package dev.weighlock.duckdb;

import dev.weighlock.query.ErrorCode;
import dev.weighlock.query.FactKey;
import dev.weighlock.query.Facts;
import dev.weighlock.query.QueryException;
import dev.weighlock.query.Reason;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What the driver's messages mean. The driver gives neither states nor codes, so the wording is all there is; a test pins
 * the wordings of this driver version. Text that is not known becomes ENGINE_ERROR, whose repetition nobody can judge.
 */
final class DriverErrors {
    private static final Pattern QUOTED_PATH = Pattern.compile("(?:file|directory|pattern) \\\\?\"([^\"\\\\]*)\\\\?\"");
    private static final Pattern UNREADABLE_FILE =
            Pattern.compile("capable of reading the file \"([^\"]*)\"|Table with name (\\S*/\\S*) does not exist");
    private static final Pattern CSV_LINE = Pattern.compile("CSV Error on Line: (\\d+)");
    private static final Pattern CSV_FILE = Pattern.compile("(?m)^\\s*file\\s*=\\s*(.+?)\\s*$");
    private static final Pattern CSV_COLUMN = Pattern.compile("(?:column|Column) (?:with name: )?\"([^\"]*)\"");

    private DriverErrors() {}

    /**
     * Translates what a running query met.
     *
     * @param limits named in messages about limits; null outside a grant
     */
    static QueryException classify(String operation, SQLException error, @Nullable Limits limits) {
        var text = Objects.requireNonNullElse(error.getMessage(), "");
        var colon = text.indexOf(" Error: ");
        var prefix = colon < 0 ? "" : text.substring(0, colon);
        if (text.contains(" prepared statement parameter") || text.contains("Parameter count mismatch")) {
            // A mark that nobody gave a value: the statement's fault, not the data's.
            return exception(ErrorCode.SQL_ERROR, operation, text, Facts.none(), error);
        }
        return switch (prefix) {
            case "INTERRUPT" ->
                exception(ErrorCode.CANCELLED, operation, "the query was interrupted", interrupted(), error);
            case "Out of Memory" -> outOfMemory(operation, text, limits, error);
            case "Binder", "Catalog" -> unknownName(operation, text, limits, error);
            case "Parser", "Syntax", "Not implemented", "Parameter Not Resolved", "Parameter Not Allowed" ->
                exception(ErrorCode.SQL_ERROR, operation, text, Facts.none(), error);
            case "Permission" ->
                exception(ErrorCode.SOURCE_ACCESS_DENIED, operation, denied(text, limits), path(text), error);
            case "Conversion", "Out of Range", "Invalid Input", "Mismatch Type", "Divide by Zero", "Constraint" ->
                exception(
                        ErrorCode.DATA_ERROR, operation, FileMessages.readable(text, place(text)), place(text), error);
            case "IO", "HTTP" -> inputOutput(operation, text, error);
            case "INTERNAL", "FATAL" ->
                exception(ErrorCode.ENGINE_PERSISTENT_FAILURE, operation, text, Facts.none(), error);
            default -> exception(ErrorCode.ENGINE_ERROR, operation, text, Facts.none(), error);
        };
    }

    /** A file whose kind its name does not tell is no table: where it lies is what matters first. */
    private static QueryException unknownName(
            String operation, String text, @Nullable Limits limits, SQLException error) {
        var matcher = UNREADABLE_FILE.matcher(text);
        if (limits == null || !matcher.find()) {
            return exception(ErrorCode.SQL_ERROR, operation, text, Facts.none(), error);
        }
        var path = matcher.group(matcher.group(1) == null ? 2 : 1);
        return limits.isOutside(path)
                ? exception(
                        ErrorCode.SOURCE_ACCESS_DENIED,
                        operation,
                        outside(path, limits),
                        Facts.of(FactKey.PATH, path),
                        error)
                : exception(ErrorCode.SQL_ERROR, operation, text, Facts.of(FactKey.PATH, path), error);
    }

    private static String outside(String path, @Nullable Limits limits) {
        var folders = limits == null || limits.folders().isEmpty()
                ? ""
                : ": "
                        + limits.folders().stream().limit(3).map(Path::toString).collect(Collectors.joining(", "))
                        + (limits.folders().size() > 3 ? ", …" : "");
        return "the file " + path + " lies outside the folders that this query may use" + folders;
    }

    /** Locked instances know no address and no file outside their folders. */
    private static String denied(String text, @Nullable Limits limits) {
        return path(text)
                .value(FactKey.PATH)
                .map(path -> path.matches("(?i)[a-z][a-z0-9+.-]*://.*")
                        ? "there are no sources by address, such as " + path + ", yet; copy or mount the data"
                        : outside(path, limits))
                .orElse(text);
    }

    private static Facts interrupted() {
        return Facts.of(Reason.CALLER_CANCELLED);
    }

    private static QueryException outOfMemory(
            String operation, String text, @Nullable Limits limits, SQLException error) {
        if (limits == null) {
            return exception(ErrorCode.ENGINE_ERROR, operation, text, Facts.none(), error);
        }
        return text.contains("max_temp_directory_size")
                ? exception(
                        ErrorCode.QUERY_TEMP_LIMIT_EXCEEDED,
                        operation,
                        limits.tempRemedy(),
                        Facts.of(Reason.TEMP_SPACE).with(FactKey.LIMIT_BYTES, limits.tempBytes()),
                        error)
                : exception(
                        ErrorCode.QUERY_MEMORY_LIMIT_EXCEEDED,
                        operation,
                        limits.memoryRemedy(),
                        Facts.of(FactKey.QUERY_CAP_BYTES, limits.grantBytes()),
                        error);
    }

    private static QueryException inputOutput(String operation, String text, SQLException error) {
        var lower = text.toLowerCase(Locale.ROOT);
        if (lower.contains("no space left on device") || lower.contains("disk quota exceeded")) {
            return exception(ErrorCode.DISK_FULL, operation, full(text), path(text), error);
        }
        if (lower.contains("no files found") || lower.contains("no such file or directory")) {
            return exception(ErrorCode.SOURCE_NOT_FOUND, operation, text, path(text), error);
        }
        if (lower.contains("permission denied")) {
            return exception(ErrorCode.SOURCE_ACCESS_DENIED, operation, text, path(text), error);
        }
        return exception(ErrorCode.ENGINE_ERROR, operation, text, path(text), error);
    }

    private static String full(String text) {
        return path(text)
                .value(FactKey.PATH)
                .map(path -> "no space is left on the disk of "
                        + Path.of(path).toAbsolutePath().getParent() + "; free some or write to another disk")
                .orElse(text);
    }

    private static Facts path(String text) {
        var matcher = QUOTED_PATH.matcher(text);
        return matcher.find() ? Facts.of(FactKey.PATH, matcher.group(1)) : Facts.none();
    }

    private static Facts place(String text) {
        var facts = with(path(text), FactKey.FILE, CSV_FILE, text);
        facts = with(facts, FactKey.LINE, CSV_LINE, text);
        return facts.value(FactKey.LINE).isPresent() ? with(facts, FactKey.COLUMN, CSV_COLUMN, text) : facts;
    }

    private static Facts with(Facts facts, FactKey key, Pattern pattern, String text) {
        var matcher = pattern.matcher(text);
        return matcher.find() ? facts.with(key, matcher.group(1)) : facts;
    }

    private static QueryException exception(
            ErrorCode code, String operation, String message, Facts facts, SQLException cause) {
        return new QueryException(code, operation, message, facts, cause);
    }
}
