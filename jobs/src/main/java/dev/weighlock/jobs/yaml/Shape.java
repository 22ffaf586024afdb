package dev.weighlock.jobs.yaml;

import java.util.List;

/** What a value must look like. A shape reports everything that does not fit and never throws. Immutable. */
public interface Shape {
    /** Reports what in {@code node} does not fit; {@code name} is the key it stands under. */
    void check(String name, YamlNode node, Problems problems);

    /** What is expected, for messages: "a duration such as 5s". */
    String described();

    /** Says that a node is of the wrong kind altogether. */
    default void mismatch(String name, YamlNode node, Problems problems) {
        problems.error(node.at(), "'%s' cannot be %s".formatted(name, node.described()), "write " + described());
    }

    /** A list whose items all have one shape. */
    static Shape listOf(Shape item) {
        return new ListShape(item, 0);
    }

    static Shape nonEmptyListOf(Shape item) {
        return new ListShape(item, 1);
    }

    /** A map with free keys, each checked as a text, and values of one shape. */
    static Shape mapOf(ScalarShape<?> key, Shape value) {
        return new MapShape(key, value);
    }

    /** A map with closed keys. */
    static RecordShape.Builder record(String described) {
        return new RecordShape.Builder(described);
    }

    /** A scalar of one shape or a map or list of another, chosen by the kind of node. */
    static Shape either(ScalarShape<?> scalar, Shape structured) {
        return new EitherShape(scalar, structured);
    }

    /** A list. */
    record ListShape(Shape item, int atLeast) implements Shape {
        @Override
        public void check(String name, YamlNode node, Problems problems) {
            if (!(node instanceof YamlNode.Items items)) {
                mismatch(name, node, problems);
                return;
            }
            if (items.nodes().size() < atLeast) {
                problems.error(node.at(), "'%s' is empty".formatted(name), "write " + described());
            }
            items.nodes().forEach(child -> item.check(name, child, problems));
        }

        @Override
        public String described() {
            return "a list, each item " + item.described();
        }
    }

    /** A map with free keys. */
    record MapShape(ScalarShape<?> key, Shape value) implements Shape {
        @Override
        public void check(String name, YamlNode node, Problems problems) {
            if (!(node instanceof YamlNode.Entries entries)) {
                mismatch(name, node, problems);
                return;
            }
            for (YamlNode.Entry entry : entries.entries()) {
                key.checkText(name, entry.key(), entry.keyAt(), problems);
                value.check(entry.key(), entry.value(), problems);
            }
        }

        @Override
        public String described() {
            return "a map, each value " + value.described();
        }
    }

    /** A short and a long form. */
    record EitherShape(ScalarShape<?> scalar, Shape structured) implements Shape {
        @Override
        public void check(String name, YamlNode node, Problems problems) {
            Shape chosen = node instanceof YamlNode.Scalar ? scalar : structured;
            chosen.check(name, node, problems);
        }

        @Override
        public String described() {
            return String.join(" or ", List.of(scalar.described(), structured.described()));
        }
    }
}
