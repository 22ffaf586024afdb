package dev.weighlock.query.engine;

import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
import java.util.Locale;

/** A value of a {@link Row} as SQL's cast to text writes it, so that a printed result and a written file read alike. */
public final class SqlValueText {
    private static final LocalDateTime EPOCH = LocalDateTime.of(1970, 1, 1, 0, 0);
    /** From here on, and below a ten-thousandth, a floating-point number is written with an exponent. */
    private static final int FIRST_LARGE_EXPONENT = 16;

    private static final int LAST_SMALL_EXPONENT = -5;

    private SqlValueText() {}

    public static String of(Object value) {
        return switch (value) {
            case BigDecimal number -> number.toPlainString();
            case Double number -> floating(number, number.toString());
            case Float number -> floating(number, number.toString());
            case LocalDate date -> date(date);
            case LocalTime time -> time(time);
            case LocalDateTime time -> dateTime(time);
            case OffsetDateTime time -> zoned(time);
            case byte[] bytes -> blob(bytes);
            default -> value.toString();
        };
    }

    /** Java's digits are the fewest that tell the number, as the engine's are; only the notation differs. */
    private static String floating(double number, String shortest) {
        if (!Double.isFinite(number)) {
            return Double.isNaN(number) ? "nan" : number > 0 ? "inf" : "-inf";
        }
        if (number == 0) {
            return shortest;
        }
        BigDecimal digits = new BigDecimal(shortest).stripTrailingZeros();
        int exponent = digits.precision() - digits.scale() - 1;
        if (exponent > LAST_SMALL_EXPONENT && exponent < FIRST_LARGE_EXPONENT) {
            return digits.setScale(Math.max(1, digits.scale())).toPlainString();
        }
        String mantissa = digits.movePointLeft(exponent).stripTrailingZeros().toPlainString();
        return String.format(Locale.ROOT, "%se%s%02d", mantissa, exponent < 0 ? "-" : "+", Math.abs(exponent));
    }

    private static String date(LocalDate date) {
        long day = date.toEpochDay();
        if (day == Integer.MAX_VALUE || day == -Integer.MAX_VALUE) {
            return day > 0 ? "infinity" : "-infinity";
        }
        return day(date) + era(date);
    }

    private static String day(LocalDate date) {
        int year = date.getYear() > 0 ? date.getYear() : 1 - date.getYear();
        return String.format(Locale.ROOT, "%04d-%02d-%02d", year, date.getMonthValue(), date.getDayOfMonth());
    }

    private static String era(LocalDate date) {
        return date.getYear() > 0 ? "" : " (BC)";
    }

    private static String time(LocalTime time) {
        String seconds =
                String.format(Locale.ROOT, "%02d:%02d:%02d", time.getHour(), time.getMinute(), time.getSecond());
        if (time.getNano() == 0) {
            return seconds;
        }
        return seconds + "."
                + String.format(Locale.ROOT, "%09d", time.getNano()).replaceFirst("0+$", "");
    }

    private static String dateTime(LocalDateTime time) {
        long micros = micros(time);
        if (micros == Long.MAX_VALUE || micros == -Long.MAX_VALUE) {
            return micros > 0 ? "infinity" : "-infinity";
        }
        return date(time.toLocalDate()) + " " + time(time.toLocalTime());
    }

    private static long micros(LocalDateTime time) {
        return ChronoUnit.MICROS.between(EPOCH, time);
    }

    private static String zoned(OffsetDateTime time) {
        String text = dateTime(time.toLocalDateTime());
        if (text.endsWith("infinity")) {
            return text;
        }
        int seconds = time.getOffset().getTotalSeconds();
        String offset = String.format(Locale.ROOT, "%s%02d", seconds < 0 ? "-" : "+", Math.abs(seconds) / 3600);
        int minutes = Math.abs(seconds) / 60 % 60;
        return text + offset + (minutes == 0 ? "" : String.format(Locale.ROOT, ":%02d", minutes));
    }

    private static String blob(byte[] bytes) {
        StringBuilder text = new StringBuilder(bytes.length);
        for (byte each : bytes) {
            boolean plain = each >= ' ' && each <= '~' && each != '\\' && each != '"' && each != '\'';
            text.append(plain ? String.valueOf((char) each) : String.format(Locale.ROOT, "\\x%02X", each));
        }
        return text.toString();
    }
}
