package dev.weighlock.query;

import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The id of one attempt: a random number drawn once per process and a count within it, so minting costs one increment
 * and ids of different processes do not meet.
 */
public record AttemptId(long process, long number) implements Comparable<AttemptId> {
    private static final long PROCESS = new SecureRandom().nextLong();
    private static final AtomicLong LAST = new AtomicLong();

    public static AttemptId mint() {
        return new AttemptId(PROCESS, LAST.incrementAndGet());
    }

    /** Reads what {@link #toString} wrote. */
    public static AttemptId parse(String text) {
        int dash = text.indexOf('-');
        if (dash != 16) {
            throw new IllegalArgumentException("not an attempt id: " + text);
        }
        return new AttemptId(HexFormat.fromHexDigitsToLong(text, 0, dash), Long.parseLong(text.substring(dash + 1)));
    }

    @Override
    public int compareTo(AttemptId other) {
        int byProcess = Long.compareUnsigned(process, other.process);
        return byProcess != 0 ? byProcess : Long.compareUnsigned(number, other.number);
    }

    @Override
    public String toString() {
        return HexFormat.of().toHexDigits(process) + "-" + number;
    }
}
