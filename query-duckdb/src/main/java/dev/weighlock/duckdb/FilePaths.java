package dev.weighlock.duckdb;

import dev.weighlock.query.engine.SqlText;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Makes the relative paths in a statement absolute: a locked instance refuses every path that does not spell out one of
 * its folders. Only literals that the parser found to name files are touched.
 */
final class FilePaths {
    /** Something in double quotes is a file only where it looks like one; else it is a table. */
    private static final Pattern DATA_FILE =
            Pattern.compile("(?i).*\\.(csv|tsv|txt|parquet|json|jsonl|ndjson)(\\.(gz|zst))?");

    private static final Pattern ABSOLUTE = Pattern.compile("(?s)(/|[A-Za-z]:[\\\\/]|[A-Za-z][A-Za-z0-9+.-]*://).*");

    private FilePaths() {}

    /** Resolves the paths at these offsets of the text's UTF-8 form. */
    static String resolve(String sql, List<Long> locations, @Nullable Path base) {
        if (base == null || locations.isEmpty()) {
            return sql;
        }
        var bytes = sql.getBytes(StandardCharsets.UTF_8);
        var out = new StringBuilder();
        var done = 0;
        for (var location : locations.stream().distinct().sorted().toList()) {
            var at = new String(bytes, 0, location.intValue(), StandardCharsets.UTF_8).length();
            var end = at < sql.length() ? SqlText.endOfQuoted(sql, at) : at;
            var path = end > at ? relativePath(sql.substring(at, end)) : null;
            if (path != null) {
                out.append(sql, done, at).append(SqlLiteral.of(base + "/" + path));
                done = end;
            }
        }
        return out.append(sql, done, sql.length()).toString();
    }

    private static @Nullable String relativePath(String token) {
        var quote = token.substring(0, 1);
        if (!quote.equals("'") && !quote.equals("\"")) {
            return null;
        }
        var path = token.substring(1, token.length() - 1).replace(quote + quote, quote);
        var isFile = quote.equals("'") || DATA_FILE.matcher(path).matches();
        return isFile && !ABSOLUTE.matcher(path).matches() ? path : null;
    }
}
