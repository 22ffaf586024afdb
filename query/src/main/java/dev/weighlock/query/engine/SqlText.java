package dev.weighlock.query.engine;

import java.util.Locale;

/** Where quoted text, comments, names and statements begin and end. Knows nothing else of SQL. */
public final class SqlText {
    private SqlText() {}

    /** The text up to the first semicolon that ends a statement, or all of it. */
    public static String firstStatement(String sql) {
        return sql.substring(0, endOfStatement(sql, 0));
    }

    /** How many statements the text holds; empty ones do not count. */
    public static int statements(String sql) {
        var count = 0;
        for (var at = 0; at < sql.length(); ) {
            var end = endOfStatement(sql, at);
            count += firstToken(sql, at, end) < end ? 1 : 0;
            at = end + 1;
        }
        return count;
    }

    /** The first word in capitals; empty where the text begins with something else. */
    public static String firstWord(String sql) {
        var at = firstToken(sql, 0, sql.length());
        while (at < sql.length() && (sql.charAt(at) == '(' || sql.charAt(at) == ';')) {
            at = firstToken(sql, at + 1, sql.length());
        }
        return sql.substring(at, endOfWord(sql, at)).toUpperCase(Locale.ROOT);
    }

    private static int endOfStatement(String sql, int from) {
        for (var at = from; at < sql.length(); ) {
            if (sql.charAt(at) == ';') {
                return at;
            }
            at = Math.max(endOfQuoted(sql, at), at + 1);
        }
        return sql.length();
    }

    /** The index of the first character that is neither space nor comment. */
    private static int firstToken(String sql, int from, int limit) {
        for (var at = from; at < limit; ) {
            var c = sql.charAt(at);
            var end = c == '-' || c == '/' ? endOfQuoted(sql, at) : at;
            if (end == at && !Character.isWhitespace(c)) {
                return at;
            }
            at = Math.max(end, at + 1);
        }
        return limit;
    }

    /** The index after the quoted text or comment that starts at {@code at}, or {@code at} where none does. */
    public static int endOfQuoted(String sql, int at) {
        return switch (sql.charAt(at)) {
            case '\'' -> endOfString(sql, at);
            case '"' -> endOfDelimited(sql, at, '"');
            case '-' -> sql.startsWith("--", at) ? endOrLength(sql, "\n", at + 2) : at;
            case '/' -> sql.startsWith("/*", at) ? endOrLength(sql, "*/", at + 2) : at;
            case '$' -> endOfDollarQuoted(sql, at);
            default -> at;
        };
    }

    /** Only E'…' knows backslash escapes. */
    private static int endOfString(String sql, int at) {
        var escapes =
                at > 0 && Character.toLowerCase(sql.charAt(at - 1)) == 'e' && (at == 1 || !isWord(sql.charAt(at - 2)));
        if (!escapes) {
            return endOfDelimited(sql, at, '\'');
        }
        for (var i = at + 1; i < sql.length(); i++) {
            if (sql.charAt(i) == '\\') {
                i++;
            } else if (sql.charAt(i) == '\'') {
                if (i + 1 == sql.length() || sql.charAt(i + 1) != '\'') {
                    return i + 1;
                }
                i++;
            }
        }
        return sql.length();
    }

    private static int endOfDelimited(String sql, int at, char quote) {
        for (var i = at + 1; i < sql.length(); i++) {
            if (sql.charAt(i) == quote) {
                if (i + 1 == sql.length() || sql.charAt(i + 1) != quote) {
                    return i + 1;
                }
                i++;
            }
        }
        return sql.length();
    }

    private static int endOfDollarQuoted(String sql, int at) {
        if (at > 0 && isWord(sql.charAt(at - 1))) {
            return at;
        }
        var tagEnd = at + 1;
        while (tagEnd < sql.length() && isWord(sql.charAt(tagEnd))) {
            tagEnd++;
        }
        var isTag = tagEnd < sql.length() && sql.charAt(tagEnd) == '$' && !Character.isDigit(sql.charAt(at + 1));
        return isTag ? endOrLength(sql, sql.substring(at, tagEnd + 1), tagEnd + 1) : at;
    }

    private static int endOrLength(String sql, String terminator, int from) {
        var found = sql.indexOf(terminator, from);
        return found < 0 ? sql.length() : found + terminator.length();
    }

    static boolean beginsName(String sql, int at) {
        if (sql.charAt(at) != ':' || at + 1 == sql.length() || !isWordStart(sql.charAt(at + 1))) {
            return false;
        }
        if (at == 0) {
            return true;
        }
        var before = sql.charAt(at - 1);
        return !isWord(before) && ":'\"])}".indexOf(before) < 0;
    }

    static int endOfWord(String sql, int at) {
        var end = at;
        while (end < sql.length() && isWord(sql.charAt(end))) {
            end++;
        }
        return end;
    }

    private static boolean isWordStart(char c) {
        return Character.isLetter(c) || c == '_';
    }

    private static boolean isWord(char c) {
        return Character.isLetterOrDigit(c) || c == '_';
    }
}
