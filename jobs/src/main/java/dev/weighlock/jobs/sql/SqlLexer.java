package dev.weighlock.jobs.sql;

/**
 * Where quoted text, comments and names begin and end; the same rules as the query engines' own, so that a name found
 * here is a name there. A wrong guess can only leave a name unbound, which the database then refuses: values are never
 * part of the text.
 */
final class SqlLexer {
    private SqlLexer() {}

    /** The index after the quoted text or comment that begins at {@code at}, or {@code at} where none does. */
    static int endOfQuoted(String sql, int at) {
        return switch (sql.charAt(at)) {
            case '\'' -> hasEscapes(sql, at) ? endOfEscaped(sql, at) : endOfDoubled(sql, at, '\'');
            case '"' -> endOfDoubled(sql, at, '"');
            case '-' -> sql.startsWith("--", at) ? after(sql, "\n", at + 2) : at;
            case '/' -> sql.startsWith("/*", at) ? after(sql, "*/", at + 2) : at;
            case '$' -> endOfDollarQuoted(sql, at);
            default -> at;
        };
    }

    /** Whether {@code :} begins a bound name: a letter follows, and nothing a cast or slice would have precedes. */
    static boolean beginsName(String sql, int at) {
        if (at + 1 >= sql.length() || !isWordStart(sql.charAt(at + 1))) {
            return false;
        }
        if (at == 0) {
            return true;
        }
        char before = sql.charAt(at - 1);
        return !isWord(before) && ":'\"])}".indexOf(before) < 0;
    }

    /** {@code $1} and {@code $name}, which are no dollar quotes. */
    static boolean beginsNumberedMark(String sql, int at) {
        boolean insideWord = at > 0 && isWord(sql.charAt(at - 1));
        return !insideWord && at + 1 < sql.length() && isWord(sql.charAt(at + 1)) && endOfDollarQuoted(sql, at) == at;
    }

    static int endOfWord(String sql, int at) {
        int end = at;
        while (end < sql.length() && isWord(sql.charAt(end))) {
            end++;
        }
        return end;
    }

    private static boolean hasEscapes(String sql, int at) {
        return at > 0 && Character.toLowerCase(sql.charAt(at - 1)) == 'e' && (at == 1 || !isWord(sql.charAt(at - 2)));
    }

    private static int endOfEscaped(String sql, int at) {
        int i = at + 1;
        while (i < sql.length()) {
            char c = sql.charAt(i);
            boolean pair = c == '\\' || (c == '\'' && i + 1 < sql.length() && sql.charAt(i + 1) == '\'');
            if (c == '\'' && !pair) {
                return i + 1;
            }
            i += pair ? 2 : 1;
        }
        return sql.length();
    }

    private static int endOfDoubled(String sql, int at, char quote) {
        int i = at + 1;
        while (i < sql.length()) {
            boolean quoteHere = sql.charAt(i) == quote;
            boolean doubled = quoteHere && i + 1 < sql.length() && sql.charAt(i + 1) == quote;
            if (quoteHere && !doubled) {
                return i + 1;
            }
            i += doubled ? 2 : 1;
        }
        return sql.length();
    }

    private static int endOfDollarQuoted(String sql, int at) {
        if (at > 0 && isWord(sql.charAt(at - 1))) {
            return at;
        }
        int tagEnd = endOfWord(sql, at + 1);
        boolean isTag = tagEnd < sql.length() && sql.charAt(tagEnd) == '$' && !Character.isDigit(sql.charAt(at + 1));
        return isTag ? after(sql, sql.substring(at, tagEnd + 1), tagEnd + 1) : at;
    }

    private static int after(String sql, String terminator, int from) {
        int found = sql.indexOf(terminator, from);
        return found < 0 ? sql.length() : found + terminator.length();
    }

    private static boolean isWordStart(char c) {
        return Character.isLetter(c) || c == '_';
    }

    private static boolean isWord(char c) {
        return Character.isLetterOrDigit(c) || c == '_';
    }
}
