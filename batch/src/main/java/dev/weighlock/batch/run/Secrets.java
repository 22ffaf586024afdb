package dev.weighlock.batch.run;

import dev.weighlock.batch.BatchError;
import dev.weighlock.batch.BatchException;
import java.util.Map;

/** The values of one execution's secret parameters, in memory only. Prints nothing of them. */
public final class Secrets {
    public static final Secrets NONE = new Secrets(Map.of());

    private final Map<String, String> values;

    /** @param values by parameter name */
    public Secrets(Map<String, String> values) {
        this.values = Map.copyOf(values);
    }

    String value(String parameter) {
        var value = values.get(parameter);
        if (value == null) {
            throw new BatchException(
                    BatchError.INVALID_PARAMETER, "there is no secret parameter \"" + parameter + "\"");
        }
        return value;
    }

    /** {@code text} with every secret value in it struck out. */
    String hide(String text) {
        var hidden = text;
        for (var value : values.values()) {
            hidden = value.isEmpty() ? hidden : hidden.replace(value, "***");
        }
        return hidden;
    }

    /**
     * Refuses to store a text that holds a secret's value, as it is or inside JSON.
     *
     * @throws BatchException INVALID_PARAMETER naming the parameter
     */
    void refuseIn(String text, String where) {
        values.forEach((parameter, value) -> {
            if (!value.isEmpty() && (text.contains(value) || text.contains(inJson(value)))) {
                throw new BatchException(
                        BatchError.INVALID_PARAMETER,
                        where + " would store the value of the secret \"" + parameter + "\": keep it nowhere");
            }
        });
    }

    private static String inJson(String value) {
        return value.replace("\\", "\\\\")
                .replace("\"", "\\\"")
                .replace("\n", "\\n")
                .replace("\t", "\\t");
    }

    @Override
    public String toString() {
        return values.size() + " secrets";
    }
}
