package dev.weighlock.batch;

import java.nio.charset.StandardCharsets;

/** The one rule of all names: non-empty, bounded, no control characters, no white space at either end. */
final class Names {
    private Names() {}

    static String check(String kind, String value, int maxBytes) {
        if (value.isEmpty()) {
            throw invalid("a " + kind + " must not be empty");
        }
        int bytes = value.getBytes(StandardCharsets.UTF_8).length;
        if (bytes > maxBytes) {
            throw invalid("a " + kind + " of " + bytes + " bytes is over the limit of " + maxBytes);
        }
        if (value.codePoints().anyMatch(Character::isISOControl)) {
            throw invalid("a " + kind + " must not contain control characters");
        }
        if (isSpace(value.codePointAt(0)) || isSpace(value.codePointBefore(value.length()))) {
            throw invalid("the " + kind + " \"" + value + "\" must not begin or end with white space");
        }
        return value;
    }

    private static boolean isSpace(int codePoint) {
        return Character.isWhitespace(codePoint) || Character.isSpaceChar(codePoint);
    }

    private static BatchException invalid(String message) {
        return new BatchException(BatchError.INVALID_DEFINITION, message);
    }
}
