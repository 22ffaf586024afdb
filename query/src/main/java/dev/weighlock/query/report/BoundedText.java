package dev.weighlock.query.report;

import java.nio.charset.StandardCharsets;

/** The check that correlation values share: refused when they do not fit, never cut. */
final class BoundedText {
    private BoundedText() {}

    static void check(String what, String value, int maxBytes) {
        if (value.isBlank()) {
            throw new IllegalArgumentException("a " + what + " cannot be blank");
        }
        if (value.length() > maxBytes || value.getBytes(StandardCharsets.UTF_8).length > maxBytes) {
            throw new IllegalArgumentException("a " + what + " has at most " + maxBytes + " bytes of UTF-8");
        }
    }
}
