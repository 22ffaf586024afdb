package dev.weighlock.jobs.yaml;

import java.util.Optional;
import java.util.function.Function;

/**
 * A scalar of one type: the same object checks a file and reads its value.
 *
 * @param described what is expected, with an example
 * @param parser text to value; empty when the text is none
 */
public record ScalarShape<T>(String described, Function<String, Optional<T>> parser, boolean nullable)
        implements Shape {
    public ScalarShape(String described, Function<String, Optional<T>> parser) {
        this(described, parser, false);
    }

    /** The same shape, where {@code null} stands for "no value" too. */
    public ScalarShape<T> orNull() {
        return new ScalarShape<>(described + " or null", parser, true);
    }

    /** A check only: a value of this shape or one fixed word, which then reads as absent. */
    public ScalarShape<String> orWord(String word) {
        return new ScalarShape<>(
                word + " or " + described,
                text -> Optional.of(text).filter(t -> t.equals(word) || parse(t).isPresent()),
                nullable);
    }

    public Optional<T> parse(String text) {
        return parser.apply(text);
    }

    @Override
    public void check(String name, YamlNode node, Problems problems) {
        if (!(node instanceof YamlNode.Scalar scalar) || (scalar.isNull() && !nullable)) {
            mismatch(name, node, problems);
        } else if (!scalar.isNull() && parse(scalar.text()).isEmpty()) {
            mismatch(name, node, problems);
        }
    }

    /** Checks a key of a map as a text of this shape. */
    void checkText(String name, String text, Position at, Problems problems) {
        if (parse(text).isEmpty()) {
            problems.error(at, "'%s' is not allowed under '%s'".formatted(text, name), "write " + described);
        }
    }
}
