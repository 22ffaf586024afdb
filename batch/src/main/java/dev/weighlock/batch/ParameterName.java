package dev.weighlock.batch;

/** A parameter name: 1 to 128 bytes of UTF-8, compared byte for byte. */
public record ParameterName(String value) implements Comparable<ParameterName> {
    /** @throws BatchException INVALID_DEFINITION when the name breaks the rules of names */
    public ParameterName {
        Names.check("parameter name", value, 128);
    }

    @Override
    public int compareTo(ParameterName other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value;
    }
}
