package dev.weighlock.duckdb;

import dev.weighlock.query.engine.StatementProfile;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;

/**
 * Reads the operators out of DuckDB's profile, in which each is an object with its inputs as {@code children}. Not
 * thread-safe; use {@link #read}.
 */
final class OperatorTree {
    private static final int MOST_OPERATORS = 200;

    /** What may be shown of an operator: names, never an expression, which may hold values of the statement. */
    private static final Set<String> DETAILS = Set.of("Table", "Function", "Join Type");

    private static final JsonFactory JSON = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(20_000)
                    .maxStringLength(Integer.MAX_VALUE)
                    .build())
            .build();

    /** One operator as it is read. */
    private static final class Node {
        final int depth;
        String name = "";

        @Nullable
        String detail;

        @Nullable
        Long rows;

        @Nullable
        Long bytes;

        @Nullable
        Duration time;

        Node(int depth) {
            this.depth = depth;
        }

        StatementProfile.Operator operator() {
            return new StatementProfile.Operator(depth, name, detail, rows, time, bytes);
        }
    }

    private final List<Node> nodes = new ArrayList<>();
    /** The operators that are open, and the names of the structures around the parser. */
    private final Deque<Node> path = new ArrayDeque<>();

    private final Deque<String> structures = new ArrayDeque<>();

    private OperatorTree() {}

    static StatementProfile read(String json) {
        var tree = new OperatorTree();
        try (var parser = JSON.createParser(ObjectReadContext.empty(), json)) {
            tree.readAll(parser);
        }
        var operators =
                tree.nodes.stream().limit(MOST_OPERATORS).map(Node::operator).toList();
        return new StatementProfile(operators, tree.nodes.size() - operators.size());
    }

    private void readAll(JsonParser parser) {
        var property = "";
        for (var token = parser.nextToken(); token != null; token = parser.nextToken()) {
            if (token == JsonToken.PROPERTY_NAME) {
                property = parser.currentName();
            } else if (token.isStructStart()) {
                begin(property, token);
                property = "";
            } else if (token.isStructEnd()) {
                end(token);
            } else {
                value(property, parser);
            }
        }
    }

    /** Operators stand without a name in the arrays {@code operator} and {@code children}. */
    private void begin(String property, JsonToken token) {
        var inside = structures.peek();
        if (token == JsonToken.START_OBJECT && ("operator".equals(inside) || "children".equals(inside))) {
            var node = new Node(path.size());
            nodes.add(node);
            path.push(node);
            structures.push("{operator}");
        } else {
            structures.push(property);
        }
    }

    private void end(JsonToken token) {
        if (structures.pop().equals("{operator}") && token == JsonToken.END_OBJECT) {
            path.pop();
        }
    }

    private void value(String property, JsonParser parser) {
        var node = path.peek();
        if (node == null) {
            return;
        }
        if ("extra_info".equals(structures.peek())) {
            if (DETAILS.contains(property)) {
                node.detail = parser.getString();
            }
            return;
        }
        switch (property) {
            case "type" -> node.name = parser.getString();
            case "intermediate_rows" -> node.rows = parser.getLongValue();
            case "intermediate_size_bytes" -> node.bytes = parser.getLongValue();
            case "timing" -> node.time = seconds(parser.getDecimalValue());
            default -> {}
        }
    }

    private static Duration seconds(BigDecimal seconds) {
        return Duration.ofNanos(seconds.movePointRight(9).longValue());
    }
}
