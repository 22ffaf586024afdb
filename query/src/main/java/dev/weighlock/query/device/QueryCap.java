package dev.weighlock.query.device;

/** The bytes an attempt asks for: a figure of its own, or the device's default. */
public sealed interface QueryCap {
    /** {@code min(default limit, Q - R)}, fixed at the moment of admission. */
    QueryCap DEFAULT = new Default();

    record Default() implements QueryCap {}

    record Explicit(long bytes) implements QueryCap {
        public Explicit {
            if (bytes < 0) {
                throw new IllegalArgumentException("a query cap cannot be negative: " + bytes);
            }
        }
    }

    static QueryCap of(long bytes) {
        return new Explicit(bytes);
    }
}
