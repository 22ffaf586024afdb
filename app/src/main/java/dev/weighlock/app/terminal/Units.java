package dev.weighlock.app.terminal;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** Numbers as people read them. */
public final class Units {
    private static final String[] BYTE_UNITS = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
    private static final DateTimeFormatter LOCAL = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss", Locale.ROOT);

    private Units() {}

    /** {@code 12.3 MiB}; whole numbers below 1 KiB and from 100 of a unit on. */
    public static String bytes(long bytes) {
        double value = bytes;
        int unit = 0;
        while (value >= 1024 && unit < BYTE_UNITS.length - 1) {
            value /= 1024;
            unit++;
        }
        boolean whole = unit == 0 || value >= 100;
        return String.format(Locale.ROOT, whole ? "%.0f %s" : "%.1f %s", value, BYTE_UNITS[unit]);
    }

    /** {@code 1,234,567}. */
    public static String count(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }

    /** {@code 3 ms}, {@code 1.2 s}, {@code 2 min 05 s}, {@code 3 h 07 min}. */
    public static String duration(Duration duration) {
        long millis = duration.toMillis();
        if (millis < 1_000) {
            return millis + " ms";
        }
        if (millis < 60_000) {
            return String.format(Locale.ROOT, "%.1f s", millis / 1_000.0);
        }
        if (millis < 3_600_000) {
            return String.format(Locale.ROOT, "%d min %02d s", millis / 60_000, millis / 1_000 % 60);
        }
        return String.format(Locale.ROOT, "%d h %02d min", millis / 3_600_000, millis / 60_000 % 60);
    }

    /** An instant in the zone of the machine, to the second. */
    public static String local(Instant instant) {
        return LOCAL.format(instant.atZone(ZoneId.systemDefault()));
    }
}
