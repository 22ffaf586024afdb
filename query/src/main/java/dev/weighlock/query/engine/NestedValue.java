package dev.weighlock.query.engine;

/**
 * A list, array, struct, map, union or JSON value.
 *
 * @param text as SQL's cast to text writes it
 * @param json as SQL's cast to JSON writes it; numbers that JSON lacks stand there as {@code NaN} and {@code Infinity}
 */
public record NestedValue(String text, String json) {
    @Override
    public String toString() {
        return text;
    }
}
