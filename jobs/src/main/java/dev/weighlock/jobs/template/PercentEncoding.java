package dev.weighlock.jobs.template;

import java.nio.charset.StandardCharsets;

/** Makes one path element of any text, so that a value can leave no folder and name no pattern. */
public final class PercentEncoding {
    private static final String HEX = "0123456789ABCDEF";

    private PercentEncoding() {}

    /** Every byte of UTF-8 but letters, digits, {@code - _ .} as {@code %XX}; a leading dot too. */
    public static String encode(String value) {
        StringBuilder out = new StringBuilder(value.length());
        for (byte b : value.getBytes(StandardCharsets.UTF_8)) {
            boolean leadingDot = b == '.' && out.isEmpty();
            if (isPlain(b) && !leadingDot) {
                out.append((char) b);
            } else {
                out.append('%').append(HEX.charAt((b >> 4) & 15)).append(HEX.charAt(b & 15));
            }
        }
        return out.toString();
    }

    private static boolean isPlain(byte b) {
        return (b >= 'a' && b <= 'z')
                || (b >= 'A' && b <= 'Z')
                || (b >= '0' && b <= '9')
                || b == '-'
                || b == '_'
                || b == '.';
    }
}
