package dev.weighlock.app.rows;

import dev.weighlock.query.engine.NestedValue;
import dev.weighlock.query.engine.SqlValueText;
import org.jspecify.annotations.Nullable;

/** A value of a row as what JSON can hold. */
final class Values {
    private Values() {}

    /** Numbers, booleans and nested values stay what they are; numbers that JSON lacks and everything else become texts. */
    static @Nullable Object json(@Nullable Object value) {
        return switch (value) {
            case null -> null;
            case Float number when Float.isFinite(number) -> Double.parseDouble(number.toString());
            case Double number when Double.isFinite(number) -> number;
            case Float _, Double _ -> SqlValueText.of(value);
            case Byte number -> number.intValue();
            case Short number -> number.intValue();
            case Number number -> number;
            case Boolean flag -> flag;
            case NestedValue nested -> NestedJson.read(nested.json());
            default -> SqlValueText.of(value);
        };
    }
}
