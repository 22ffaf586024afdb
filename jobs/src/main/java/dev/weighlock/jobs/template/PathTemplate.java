package dev.weighlock.jobs.template;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** A path with references in braces, each of which becomes one percent-encoded text. Immutable. */
public final class PathTemplate {
    private final String text;
    private final List<Part> parts;

    private PathTemplate(String text, List<Part> parts) {
        this.text = text;
        this.parts = List.copyOf(parts);
    }

    private sealed interface Part {
        record Literal(String text) implements Part {}

        record Value(Reference reference) implements Part {}
    }

    /**
     * Cuts a path at its braces.
     *
     * @throws IllegalArgumentException where a brace or what stands in it is malformed
     */
    public static PathTemplate parse(String text) {
        if (text.isBlank() || text.indexOf('\0') >= 0) {
            throw new IllegalArgumentException("the path is empty or holds a NUL");
        }
        List<Part> parts = new ArrayList<>();
        int from = 0;
        for (int open = text.indexOf('{'); open >= 0; open = text.indexOf('{', from)) {
            parts.add(new Part.Literal(literal(text, from, open)));
            int close = text.indexOf('}', open);
            if (close < 0) {
                throw new IllegalArgumentException("'{' is not closed in the path " + text);
            }
            parts.add(new Part.Value(reference(text.substring(open + 1, close))));
            from = close + 1;
        }
        parts.add(new Part.Literal(literal(text, from, text.length())));
        return new PathTemplate(text, parts);
    }

    private static String literal(String text, int from, int to) {
        String literal = text.substring(from, to);
        if (literal.indexOf('}') >= 0) {
            throw new IllegalArgumentException("'}' without '{' in the path " + text);
        }
        return literal;
    }

    private static Reference reference(String name) {
        return Reference.ofPathName(name)
                .orElseThrow(() -> new IllegalArgumentException("'{" + name
                        + "}' is no value; write {name}, {partition}, {partition.COLUMN} or {STEP.context.KEY}"));
    }

    public String text() {
        return text;
    }

    public Set<Reference> references() {
        return parts.stream()
                .filter(Part.Value.class::isInstance)
                .map(part -> ((Part.Value) part).reference())
                .collect(Collectors.toSet());
    }

    /**
     * The path with its values.
     *
     * @param values reference to plain text
     * @throws IllegalArgumentException where a value is empty, which would name another file than meant
     */
    public String resolve(Function<Reference, String> values) {
        StringBuilder out = new StringBuilder();
        for (Part part : parts) {
            switch (part) {
                case Part.Literal literal -> out.append(literal.text());
                case Part.Value value -> out.append(encoded(value.reference(), values.apply(value.reference())));
            }
        }
        return out.toString();
    }

    private String encoded(Reference reference, String value) {
        if (value.isEmpty()) {
            throw new IllegalArgumentException(
                    "the value of {%s} in the path %s is empty".formatted(reference.shown(), text));
        }
        return PercentEncoding.encode(value);
    }

    @Override
    public String toString() {
        return text;
    }
}
