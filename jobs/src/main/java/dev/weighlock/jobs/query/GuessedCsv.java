package dev.weighlock.jobs.query;

import dev.weighlock.query.QueryException;
import dev.weighlock.query.backend.QueryRequest;
import dev.weighlock.query.backend.QueryRows;
import dev.weighlock.query.backend.QuerySummary;
import dev.weighlock.query.engine.Row;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * CSV files that SQL names without a declaration. The engine guesses their delimiter, header, lines to skip and types from the first
 * rows and says nothing: a wrong guess loses lines silently. So what was guessed is told, as a declaration to keep or correct.
 */
public final class GuessedCsv {
    private static final Pattern CSV = Pattern.compile("(?i).*\\.(csv|tsv)(\\.gz|\\.zst)?");
    private static final String SNIFF = "SELECT Prompt FROM sniff_csv(:file)";
    private static final int MOST_FILES = 3;

    private GuessedCsv() {}

    /**
     * One note per file that {@code ended} read so; asks the engine once for each.
     *
     * @param like with the folders and limits of the query that ended
     */
    public static List<String> notes(Queries queries, QueryRequest like, QuerySummary ended) {
        return ended.tables().stream()
                .filter(table -> CSV.matcher(table).matches())
                .limit(MOST_FILES)
                .flatMap(file -> note(queries, like, file).stream())
                .collect(Collectors.toList());
    }

    private static Optional<String> note(Queries queries, QueryRequest like, String file) {
        QueryRequest sniff = QueryRequest.select(SNIFF, Map.of("file", file))
                .with(like.limits())
                .with(like.scope())
                .label(like.label() + " (columns of " + file + ")");
        try (QueryRows rows = queries.submit(sniff).rows()) {
            return rows.next().map(row -> text(file, row));
        } catch (QueryException unreadable) {
            // The query itself has read the file; its outcome stands without a note.
            return Optional.empty();
        }
    }

    private static String text(String file, Row row) {
        String declaration =
                String.valueOf(row.value(0)).strip().replaceFirst(";$", "").replaceFirst("^FROM ", "");
        return file + ": delimiter, header and types were guessed from the first rows; to be sure, declare them: "
                + declaration;
    }
}
