package dev.weighlock.batch;

/** A step name: 1 to 128 bytes of UTF-8, compared byte for byte. */
public record StepName(String value) implements Comparable<StepName> {
    /** @throws BatchException INVALID_DEFINITION when the name breaks the rules of names */
    public StepName {
        Names.check("step name", value, 128);
    }

    @Override
    public int compareTo(StepName other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value;
    }
}
