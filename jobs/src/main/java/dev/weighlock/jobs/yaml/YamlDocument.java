package dev.weighlock.jobs.yaml;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.snakeyaml.engine.v2.common.ScalarStyle;
import org.snakeyaml.engine.v2.events.CollectionEndEvent;
import org.snakeyaml.engine.v2.events.CollectionStartEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;

/** Reads one YAML 1.2 document into {@link YamlNode}s. Bad YAML, tags and duplicate keys become problems. */
public final class YamlDocument {
    private static final int MAX_DEPTH = 32;
    /** Bounds what aliases can unfold to. */
    private static final int MAX_NODES = 100_000;

    private final Problems problems;
    private int nodes;

    private YamlDocument(Problems problems) {
        this.problems = problems;
    }

    /** The root map; empty when the text is no YAML map, which the problems then say. */
    public static Optional<YamlNode.Entries> parse(String text, Problems problems) {
        try {
            return new YamlDocument(problems).root(text);
        } catch (MarkedYamlEngineException bad) {
            problems.error(position(bad.getProblemMark()), "not valid YAML: " + problemText(bad), "correct the YAML");
        } catch (YamlEngineException bad) {
            problems.error(Position.START, "not valid YAML: " + firstLine(bad.getMessage()), "correct the YAML");
        }
        return Optional.empty();
    }

    private Optional<YamlNode.Entries> root(String text) {
        LoadSettings settings =
                LoadSettings.builder().setAllowDuplicateKeys(true).build();
        requireShallow(settings, text);
        Iterator<Node> documents =
                new Compose(settings).composeAllFromString(text).iterator();
        if (!documents.hasNext()) {
            problems.error(Position.START, "the file is empty", "write a map of keys");
            return Optional.empty();
        }
        YamlNode node = convert(documents.next(), 0);
        if (documents.hasNext()) {
            Position second = position(documents.next().getStartMark());
            problems.error(second, "a second document begins here", "keep one document in a file");
        }
        if (node instanceof YamlNode.Entries entries) {
            return Optional.of(entries);
        }
        problems.error(node.at(), "the file holds " + node.described(), "write a map of keys");
        return Optional.empty();
    }

    /** Composing recurses: a text made of brackets would end the stack before the depth is looked at. */
    private static void requireShallow(LoadSettings settings, String text) {
        int depth = 0;
        for (Event event : new Parse(settings).parseString(text)) {
            if (event instanceof CollectionStartEvent && ++depth > MAX_DEPTH + 1) {
                throw tooLarge(position(event.getStartMark()).line());
            } else if (event instanceof CollectionEndEvent) {
                depth--;
            }
        }
    }

    private static YamlEngineException tooLarge(int line) {
        return new YamlEngineException("nested deeper than %d or larger than %d values, from line %d on"
                .formatted(MAX_DEPTH, MAX_NODES, line));
    }

    private YamlNode convert(Node node, int depth) {
        Position at = position(node.getStartMark());
        if (++nodes > MAX_NODES || depth > MAX_DEPTH) {
            throw tooLarge(at.line());
        }
        String tag = node.getTag().getValue();
        if (!tag.startsWith("tag:yaml.org,2002:") || tag.endsWith(":binary")) {
            problems.error(at, "the tag " + tag + " is not known", "remove the tag");
        }
        return switch (node) {
            case ScalarNode scalar -> scalar(scalar, at);
            case SequenceNode list ->
                new YamlNode.Items(
                        at,
                        list.getValue().stream()
                                .map(item -> convert(item, depth + 1))
                                .toList());
            case MappingNode map -> new YamlNode.Entries(at, entries(map, depth));
            default -> throw new YamlEngineException("unexpected node on line " + at.line());
        };
    }

    private static YamlNode.Scalar scalar(ScalarNode scalar, Position at) {
        ScalarStyle style = scalar.getScalarStyle();
        boolean block = style == ScalarStyle.LITERAL || style == ScalarStyle.FOLDED;
        return new YamlNode.Scalar(at, scalar.getValue(), scalar.isPlain(), block ? at.linesDown(1) : at);
    }

    private List<YamlNode.Entry> entries(MappingNode map, int depth) {
        List<YamlNode.Entry> entries = new ArrayList<>();
        Map<String, Position> seen = new HashMap<>();
        for (NodeTuple tuple : map.getValue()) {
            Position at = position(tuple.getKeyNode().getStartMark());
            if (!(tuple.getKeyNode() instanceof ScalarNode keyNode)) {
                problems.error(at, "a key must be a text", "write a plain key");
                continue;
            }
            String key = keyNode.getValue();
            Position first = seen.putIfAbsent(key, at);
            if (first == null) {
                entries.add(new YamlNode.Entry(at, key, convert(tuple.getValueNode(), depth + 1)));
            } else {
                problems.error(
                        at, "the key '%s' stands twice".formatted(key), "remove it here or on line " + first.line());
            }
        }
        return entries;
    }

    private static Position position(Optional<Mark> mark) {
        return mark.map(place -> new Position(place.getLine() + 1, place.getColumn() + 1))
                .orElse(Position.START);
    }

    private static String problemText(MarkedYamlEngineException bad) {
        String problem = bad.getProblem();
        return firstLine(problem == null ? bad.getContext() : problem);
    }

    private static String firstLine(@Nullable String text) {
        return text == null ? "unreadable" : text.lines().findFirst().orElse("unreadable");
    }
}
