package dev.weighlock.jobs.template;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One argument of a command, a variable or a value for a class: a text as it stands, or, where braces hold all of it, a
 * reference whose value becomes the whole argument, unchanged. Immutable.
 */
public record Argument(String text, Optional<Reference> reference) {
    private static final Pattern BRACES = Pattern.compile("\\{([^{}]*)}");

    public static Argument parse(String text) {
        Matcher whole = BRACES.matcher(text);
        return new Argument(text, whole.matches() ? Reference.ofPathName(whole.group(1)) : Optional.empty());
    }

    /** References that stand inside other text, where they are none: a value is never part of an argument. */
    public Optional<Reference> embedded() {
        if (reference.isPresent()) {
            return Optional.empty();
        }
        return BRACES.matcher(text)
                .results()
                .flatMap(braces -> Reference.ofPathName(braces.group(1)).stream())
                .findFirst();
    }

    @Override
    public String toString() {
        return text;
    }
}
