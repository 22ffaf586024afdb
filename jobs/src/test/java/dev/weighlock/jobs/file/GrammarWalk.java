package dev.weighlock.jobs.file;

import dev.weighlock.jobs.yaml.RecordShape;
import dev.weighlock.jobs.yaml.ScalarShape;
import dev.weighlock.jobs.yaml.Shape;
import dev.weighlock.jobs.yaml.YamlNode;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;

/** Goes through the grammar of job files, alone or beside a document. A key's path has its parents before it. */
final class GrammarWalk {
    private GrammarWalk() {}

    /** Every key of the grammar, and whether its meaning is built. */
    static Map<String, Boolean> keys() {
        Map<String, Boolean> keys = new TreeMap<>();
        collect(JobGrammar.ROOT, "", true, keys);
        return keys;
    }

    private static void collect(Shape shape, String path, boolean built, Map<String, Boolean> into) {
        switch (shape) {
            case RecordShape record ->
                record.keys().forEach((key, inner) -> {
                    boolean supported = built && record.supports(key);
                    into.put(path + key, supported);
                    collect(inner, path + key + ".", supported, into);
                });
            case Shape.ListShape list -> collect(list.item(), path, built, into);
            case Shape.MapShape map -> collect(map.value(), path, built, into);
            case Shape.EitherShape either -> collect(either.structured(), path, built, into);
            case ScalarShape<?> _ -> {}
            default -> throw new AssertionError("a shape of another kind: " + shape);
        }
    }

    /** Tells of every key of a document that the grammar knows. */
    static void visit(YamlNode root, BiConsumer<String, YamlNode.Entry> visitor) {
        visit(JobGrammar.ROOT, root, "", visitor);
    }

    private static void visit(Shape shape, YamlNode node, String path, BiConsumer<String, YamlNode.Entry> visitor) {
        if (node instanceof YamlNode.Items items && shape instanceof Shape.ListShape list) {
            items.nodes().forEach(item -> visit(list.item(), item, path, visitor));
        } else if (node instanceof YamlNode.Entries entries) {
            for (YamlNode.Entry entry : entries.entries()) {
                switch (shape) {
                    case RecordShape record
                    when record.keys().containsKey(entry.key()) -> {
                        visitor.accept(path + entry.key(), entry);
                        visit(record.keys().get(entry.key()), entry.value(), path + entry.key() + ".", visitor);
                    }
                    case Shape.MapShape map -> visit(map.value(), entry.value(), path, visitor);
                    case Shape.EitherShape either -> {
                        visit(either.structured(), node, path, visitor);
                        return;
                    }
                    default -> {}
                }
            }
        }
    }
}
