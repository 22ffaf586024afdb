package dev.weighlock.batch;

/** A job name: 1 to 128 bytes of UTF-8, compared byte for byte. */
public record JobName(String value) implements Comparable<JobName> {
    /** @throws BatchException INVALID_DEFINITION when the name breaks the rules of names */
    public JobName {
        Names.check("job name", value, 128);
    }

    @Override
    public int compareTo(JobName other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value;
    }
}
