package dev.weighlock.batch.flow;

/** Patterns of exit codes, by code point: {@code *} any characters, {@code ?} one. */
final class ExitCodePattern {
    private ExitCodePattern() {}

    static int wildcards(String pattern) {
        return (int) pattern.codePoints().filter(ExitCodePattern::isWildcard).count();
    }

    static int literals(String pattern) {
        return pattern.codePointCount(0, pattern.length()) - wildcards(pattern);
    }

    private static boolean isWildcard(int codePoint) {
        return codePoint == '*' || codePoint == '?';
    }

    static boolean matches(String pattern, String code) {
        var p = pattern.codePoints().toArray();
        var c = code.codePoints().toArray();
        // reachable[j]: the pattern so far matches the first j characters.
        var reachable = new boolean[c.length + 1];
        reachable[0] = true;
        for (int symbol : p) {
            reachable = step(symbol, c, reachable);
        }
        return reachable[c.length];
    }

    private static boolean[] step(int symbol, int[] code, boolean[] before) {
        var after = new boolean[before.length];
        after[0] = symbol == '*' && before[0];
        for (int j = 1; j < before.length; j++) {
            after[j] = symbol == '*'
                    ? before[j] || after[j - 1]
                    : before[j - 1] && (symbol == '?' || symbol == code[j - 1]);
        }
        return after;
    }

    /** Whether some code matches both patterns. */
    static boolean overlap(String a, String b) {
        var p = a.codePoints().toArray();
        var q = b.codePoints().toArray();
        // both[j]: some code matches the first i symbols of p and the first j of q.
        var both = new boolean[q.length + 1];
        both[0] = true;
        for (int j = 1; j <= q.length; j++) {
            both[j] = both[j - 1] && q[j - 1] == '*';
        }
        for (int symbol : p) {
            both = meet(symbol, q, both);
        }
        return both[q.length];
    }

    private static boolean[] meet(int symbol, int[] q, boolean[] before) {
        var after = new boolean[before.length];
        after[0] = symbol == '*' && before[0];
        for (int j = 1; j < before.length; j++) {
            int other = q[j - 1];
            if (symbol == '*' || other == '*') {
                // A star takes a character of the other side or stands for nothing.
                after[j] = before[j] || after[j - 1];
            } else {
                after[j] = before[j - 1] && (symbol == '?' || other == '?' || symbol == other);
            }
        }
        return after;
    }
}
