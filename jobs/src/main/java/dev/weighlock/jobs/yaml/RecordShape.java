package dev.weighlock.jobs.yaml;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A map with a closed set of keys; unknown keys are refused with the nearest known one. Immutable. */
public final class RecordShape implements Shape {
    private final String described;
    private final Map<String, Key> keys;
    private final List<List<String>> exactlyOne;

    private RecordShape(Builder builder) {
        this.described = builder.described;
        this.keys = new LinkedHashMap<>(builder.keys);
        this.exactlyOne = List.copyOf(builder.exactlyOne);
    }

    private record Key(Shape shape, boolean required, boolean supported) {}

    /** The shapes of its keys, in the order declared. */
    public Map<String, Shape> keys() {
        Map<String, Shape> shapes = new LinkedHashMap<>();
        keys.forEach((name, key) -> shapes.put(name, key.shape()));
        return shapes;
    }

    /** Whether the meaning of a declared key is built. */
    public boolean supports(String key) {
        return keys.containsKey(key) && keys.get(key).supported();
    }

    @Override
    public String described() {
        return described;
    }

    @Override
    public void check(String name, YamlNode node, Problems problems) {
        if (!(node instanceof YamlNode.Entries entries)) {
            mismatch(name, node, problems);
            return;
        }
        entries.entries().forEach(entry -> checkEntry(entry, problems));
        keys.forEach((key, declared) -> {
            if (declared.required() && entries.entry(key).isEmpty()) {
                problems.error(
                        node.at(),
                        "%s has no '%s'".formatted(described, key),
                        "add '%s': %s".formatted(key, declared.shape().described()));
            }
        });
        exactlyOne.forEach(group -> checkGroup(group, entries, problems));
    }

    private void checkEntry(YamlNode.Entry entry, Problems problems) {
        Key key = keys.get(entry.key());
        if (key == null) {
            unknown(entry, problems);
        } else if (key.supported()) {
            key.shape().check(entry.key(), entry.value(), problems);
        } else {
            key.shape().check(entry.key(), entry.value(), problems);
            problems.error(entry.keyAt(), "'%s' is not supported yet".formatted(entry.key()), "remove it");
        }
    }

    private void unknown(YamlNode.Entry entry, Problems problems) {
        String todo = NearestName.of(entry.key(), keys.keySet())
                .map(nearest -> "did you mean '%s'?".formatted(nearest))
                .orElseGet(() -> "use one of " + String.join(", ", keys.keySet()));
        problems.error(entry.keyAt(), "unknown key '%s' in %s".formatted(entry.key(), described), todo);
    }

    private void checkGroup(List<String> group, YamlNode.Entries entries, Problems problems) {
        List<YamlNode.Entry> present =
                group.stream().flatMap(key -> entries.entry(key).stream()).toList();
        String names = String.join(", ", group);
        if (present.isEmpty()) {
            problems.error(entries.at(), "%s needs one of %s".formatted(described, names), "add one of them");
        }
        for (YamlNode.Entry extra : present.stream().skip(1).toList()) {
            problems.error(
                    extra.keyAt(),
                    "%s has '%s' beside '%s'"
                            .formatted(
                                    described, extra.key(), present.getFirst().key()),
                    "keep exactly one of " + names);
        }
    }

    /** Declares the keys one by one. */
    public static final class Builder {
        private final String described;
        private final Map<String, Key> keys = new LinkedHashMap<>();
        private final List<List<String>> exactlyOne = new ArrayList<>();

        Builder(String described) {
            this.described = described;
        }

        public Builder required(String key, Shape shape) {
            keys.put(key, new Key(shape, true, true));
            return this;
        }

        public Builder optional(String key, Shape shape) {
            keys.put(key, new Key(shape, false, true));
            return this;
        }

        /** A key of the grammar whose meaning is not built: checked, then refused, never ignored. */
        public Builder unsupported(String key, Shape shape) {
            keys.put(key, new Key(shape, false, false));
            return this;
        }

        /** Exactly one of these keys, all declared before, must stand. */
        public Builder exactlyOne(String... group) {
            exactlyOne.add(List.of(group));
            return this;
        }

        public RecordShape build() {
            return new RecordShape(this);
        }
    }
}
