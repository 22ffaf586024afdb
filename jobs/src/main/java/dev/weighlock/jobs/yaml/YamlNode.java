package dev.weighlock.jobs.yaml;

import java.util.List;
import java.util.Optional;

/** A node of a YAML document with its place. Immutable. */
public sealed interface YamlNode {
    Position at();

    /** What the node is, for messages: "a list", "a text". */
    String described();

    /**
     * A scalar as text; types are read from the text by the shape that expects them.
     *
     * @param plain written without quotes, so that {@code null} and the empty text mean "no value"
     * @param textAt where the text itself begins, which for a block is the line below its mark
     */
    record Scalar(Position at, String text, boolean plain, Position textAt) implements YamlNode {
        @Override
        public String described() {
            return isNull() ? "nothing" : "the value '" + shortened() + "'";
        }

        public boolean isNull() {
            return plain && (text.isEmpty() || text.equals("~") || text.equalsIgnoreCase("null"));
        }

        private String shortened() {
            String oneLine = text.strip().replaceAll("\\p{Cntrl}+", " ");
            return oneLine.length() <= 60 ? oneLine : oneLine.substring(0, 57) + "...";
        }
    }

    /** A list. */
    record Items(Position at, List<YamlNode> nodes) implements YamlNode {
        public Items {
            nodes = List.copyOf(nodes);
        }

        @Override
        public String described() {
            return "a list";
        }
    }

    /** A map, in the order of the file; keys are unique. */
    record Entries(Position at, List<Entry> entries) implements YamlNode {
        public Entries {
            entries = List.copyOf(entries);
        }

        @Override
        public String described() {
            return "a map";
        }

        public Optional<Entry> entry(String key) {
            return entries.stream().filter(entry -> entry.key().equals(key)).findFirst();
        }

        /** The value under a key; a key whose value is null counts as absent. */
        public Optional<YamlNode> value(String key) {
            return entry(key).map(Entry::value).filter(node -> !(node instanceof Scalar scalar && scalar.isNull()));
        }

        public Optional<Entries> map(String key) {
            return value(key).filter(Entries.class::isInstance).map(Entries.class::cast);
        }

        /** The values of a list under a key; empty when absent. */
        public List<YamlNode> list(String key) {
            return value(key)
                    .filter(Items.class::isInstance)
                    .map(node -> ((Items) node).nodes())
                    .orElse(List.of());
        }

        public Optional<Scalar> scalar(String key) {
            return value(key).filter(Scalar.class::isInstance).map(Scalar.class::cast);
        }

        public Optional<String> text(String key) {
            return scalar(key).map(Scalar::text);
        }

        /** The value under a key read by its type; empty when absent or not of the type. */
        public <T> Optional<T> read(String key, ScalarShape<T> shape) {
            return scalar(key).flatMap(scalar -> shape.parse(scalar.text()));
        }
    }

    /** One key with its value. */
    record Entry(Position keyAt, String key, YamlNode value) {}
}
