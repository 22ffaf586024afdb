package dev.weighlock.app.terminal;

/** The few styles in use; each reads the same without colour, because the words carry the meaning. */
public enum Style {
    GOOD("32"),
    BAD("31"),
    WARM("33"),
    QUIET("2"),
    STRONG("1");

    static final String OFF = "\u001b[0m";

    private final String code;

    Style(String code) {
        this.code = code;
    }

    String on() {
        return "\u001b[" + code + "m";
    }

    /** The style of a batch status or a query outcome. */
    public static Style ofStatus(String status) {
        return switch (status) {
            case "COMPLETED", "SUCCEEDED" -> GOOD;
            case "FAILED", "UNKNOWN", "ABANDONED" -> BAD;
            case "STOPPED", "STOPPING", "CANCELLED" -> WARM;
            default -> STRONG;
        };
    }
}
