package dev.weighlock.jobs.yaml;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The scalar types that job files and settings share. */
public final class Scalars {
    private static final Pattern DURATION = Pattern.compile("([0-9]{1,12})(ms|s|m|h|d)");
    private static final Pattern SIZE = Pattern.compile("([0-9]{1,18})(B|KiB|MiB|GiB|TiB)");
    private static final Map<String, Duration> DURATION_UNITS = Map.of(
            "ms", Duration.ofMillis(1),
            "s", Duration.ofSeconds(1),
            "m", Duration.ofMinutes(1),
            "h", Duration.ofHours(1),
            "d", Duration.ofDays(1));
    private static final List<String> SIZE_UNITS = List.of("B", "KiB", "MiB", "GiB", "TiB");

    public static final ScalarShape<String> TEXT = new ScalarShape<>("a text", Optional::of);
    public static final ScalarShape<String> NON_EMPTY = new ScalarShape<>(
            "a text that is not empty", text -> Optional.of(text).filter(t -> !t.isBlank()));
    public static final ScalarShape<Duration> DURATION_TEXT =
            new ScalarShape<>("a duration such as 200ms, 5s, 10m or 2h", Scalars::duration);
    public static final ScalarShape<Long> SIZE_TEXT = new ScalarShape<>("a size such as 64MiB or 1GiB", Scalars::size);
    public static final ScalarShape<Boolean> FLAG = new ScalarShape<>("true or false", Scalars::flag);
    public static final ScalarShape<ZoneId> ZONE =
            new ScalarShape<>("a time zone such as UTC or Europe/Berlin", Scalars::zone);
    public static final ScalarShape<Character> CHARACTER = new ScalarShape<>(
            "one character",
            text -> Optional.of(text).filter(t -> t.length() == 1).map(t -> t.charAt(0)));

    private Scalars() {}

    /** A name under the domain's rules: not empty, no white space around it, no control characters. */
    public static ScalarShape<String> name(int maxBytes) {
        String described =
                "a name of 1 to %d bytes without control characters or white space around it".formatted(maxBytes);
        return new ScalarShape<>(described, text -> Optional.of(text).filter(name -> isName(name, maxBytes)));
    }

    private static boolean isName(String text, int maxBytes) {
        return !text.isEmpty()
                && text.equals(text.strip())
                && text.codePoints().noneMatch(Character::isISOControl)
                && text.getBytes(StandardCharsets.UTF_8).length <= maxBytes;
    }

    /** A whole number within bounds, both included. */
    public static ScalarShape<Long> whole(long min, long max) {
        String described = max == Long.MAX_VALUE
                ? "a whole number from %d on".formatted(min)
                : "a whole number from %d to %d".formatted(min, max);
        return new ScalarShape<>(described, text -> wholeNumber(text).filter(n -> n >= min && n <= max));
    }

    /** A number with a fraction within bounds, both included. */
    public static ScalarShape<Double> fraction(double min, double max) {
        return new ScalarShape<>(
                "a number from %s to %s".formatted(min, max),
                text -> fractionNumber(text).filter(n -> n >= min && n <= max));
    }

    /** One of a closed set of words. */
    public static ScalarShape<String> oneOf(String... words) {
        List<String> known = List.of(words);
        String described = known.size() == 1 ? "'" + words[0] + "'" : "one of " + String.join(", ", known);
        return new ScalarShape<>(described, text -> Optional.of(text).filter(known::contains));
    }

    /** The constants of an enum, written in lower case. */
    public static <E extends Enum<E>> ScalarShape<E> constant(Class<E> type) {
        Map<String, E> known = Arrays.stream(type.getEnumConstants())
                .collect(Collectors.toMap(e -> e.name().toLowerCase(Locale.ROOT), Function.identity()));
        String words = Arrays.stream(type.getEnumConstants())
                .map(e -> e.name().toLowerCase(Locale.ROOT))
                .collect(Collectors.joining(", "));
        return new ScalarShape<>("one of " + words, text -> Optional.ofNullable(known.get(text)));
    }

    private static Optional<Duration> duration(String text) {
        Matcher matcher = DURATION.matcher(text);
        if (!matcher.matches()) {
            return Optional.empty();
        }
        long count = Long.parseLong(matcher.group(1));
        return Optional.ofNullable(DURATION_UNITS.get(matcher.group(2))).map(unit -> unit.multipliedBy(count));
    }

    private static Optional<Long> size(String text) {
        Matcher matcher = SIZE.matcher(text);
        if (!matcher.matches()) {
            return text.equals("0") ? Optional.of(0L) : Optional.empty();
        }
        int shift = 10 * SIZE_UNITS.indexOf(matcher.group(2));
        BigInteger bytes = new BigInteger(matcher.group(1)).shiftLeft(shift);
        return bytes.bitLength() < 63 ? Optional.of(bytes.longValue()) : Optional.empty();
    }

    private static Optional<Boolean> flag(String text) {
        return switch (text) {
            case "true", "True", "TRUE" -> Optional.of(true);
            case "false", "False", "FALSE" -> Optional.of(false);
            default -> Optional.empty();
        };
    }

    private static Optional<ZoneId> zone(String text) {
        try {
            return Optional.of(ZoneId.of(text));
        } catch (DateTimeException unknown) {
            return Optional.empty();
        }
    }

    private static Optional<Long> wholeNumber(String text) {
        try {
            return Optional.of(Long.parseLong(text.replace("_", "")));
        } catch (NumberFormatException none) {
            return Optional.empty();
        }
    }

    private static Optional<Double> fractionNumber(String text) {
        try {
            double number = Double.parseDouble(text);
            return Double.isFinite(number) ? Optional.of(number) : Optional.empty();
        } catch (NumberFormatException none) {
            return Optional.empty();
        }
    }
}
