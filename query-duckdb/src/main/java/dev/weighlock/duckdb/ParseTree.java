package dev.weighlock.duckdb;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;

/**
 * Reads DuckDB's serialized parse tree once, keeping only what planning needs.
 *
 * <p>Not thread-safe; use {@link #read}.
 */
final class ParseTree {
    private static final JsonFactory JSON = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(20_000)
                    .maxStringLength(Integer.MAX_VALUE)
                    .build())
            .build();

    /** Table functions whose first argument names files. */
    private static final Set<String> FILE_FUNCTIONS = Set.of(
            "read_csv",
            "read_csv_auto",
            "sniff_csv",
            "read_parquet",
            "parquet_scan",
            "parquet_metadata",
            "parquet_schema",
            "parquet_file_metadata",
            "parquet_kv_metadata",
            "read_json",
            "read_json_auto",
            "read_json_objects",
            "read_json_objects_auto",
            "read_ndjson",
            "read_ndjson_auto",
            "read_ndjson_objects",
            "read_text",
            "read_blob",
            "glob");

    /** One JSON object or array on the way down. */
    private static final class Level {
        final @Nullable String property;
        final boolean namesFiles;
        int children;
        String type = "";
        String functionName = "";

        @Nullable
        String tableName;

        String schemaName = "";

        long location = -1;

        Level(@Nullable String property, boolean namesFiles) {
            this.property = property;
            this.namesFiles = namesFiles;
        }
    }

    private final Deque<Level> levels = new ArrayDeque<>();
    private final Set<String> tables = new LinkedHashSet<>();
    private final Set<String> functions = new LinkedHashSet<>();
    private final Set<String> commonTables = new LinkedHashSet<>();
    private final List<Long> fileLocations = new ArrayList<>();
    private boolean error;
    private String errorType = "";
    private String errorMessage = "";
    private int errorPosition = -1;
    private int statements;
    private boolean changes;

    private ParseTree() {}

    static ParseTree read(String json) {
        var tree = new ParseTree();
        try (var parser = JSON.createParser(ObjectReadContext.empty(), json)) {
            tree.readAll(parser);
        }
        return tree;
    }

    private void readAll(JsonParser parser) {
        @Nullable String property = null;
        for (var token = parser.nextToken(); token != null; token = parser.nextToken()) {
            if (token == JsonToken.PROPERTY_NAME) {
                property = parser.currentName();
            } else if (token.isStructStart()) {
                enter(property);
                property = null;
            } else if (token.isStructEnd()) {
                leave(levels.pop());
                property = null;
            } else {
                value(property, parser);
                property = null;
            }
        }
    }

    private void enter(@Nullable String property) {
        var parent = levels.peek();
        if (parent != null && levels.size() == 2 && "statements".equals(parent.property)) {
            statements++;
        }
        var files = parent != null && (parent.namesFiles || isFirstArgument(parent));
        if (parent != null) {
            parent.children++;
        }
        levels.push(new Level(property, files));
    }

    /** Whether what begins below {@code arguments} is what a file function reads; the others are its options. */
    private boolean isFirstArgument(Level arguments) {
        return "arguments".equals(arguments.property)
                && arguments.children == 0
                && levels.stream().skip(1).findFirst().stream()
                        .anyMatch(function -> FILE_FUNCTIONS.contains(function.functionName));
    }

    private void value(@Nullable String property, JsonParser parser) {
        var level = levels.element();
        if (property == null) {
            return;
        }
        switch (property) {
            case "error" -> error |= levels.size() == 1 && parser.currentToken() == JsonToken.VALUE_TRUE;
            case "error_type" -> errorType = parser.getString();
            case "error_message" -> errorMessage = parser.getString();
            case "position" -> errorPosition = parser.getValueAsInt(-1);
            case "type" -> {
                level.type = parser.getString();
                changes |= level.type.endsWith("_QUERY_NODE");
            }
            case "function_name" -> level.functionName = parser.getString();
            case "schema_name" -> level.schemaName = parser.getString();
            case "table_name" -> level.tableName = parser.getString();
            case "query_location" -> level.location = parser.getValueAsLong(-1);
            case "key" -> commonTable(parser.getString());
            default -> {}
        }
    }

    /** Keys stand in objects of the array {@code map} of an object {@code cte_map}. */
    private void commonTable(String key) {
        var above =
                levels.stream().skip(1).limit(2).map(level -> level.property).toList();
        if (above.equals(List.of("map", "cte_map"))) {
            commonTables.add(key);
        }
    }

    private void leave(Level level) {
        if (level.tableName != null && !level.tableName.isEmpty()) {
            tables.add(level.schemaName.isEmpty() ? level.tableName : level.schemaName + "." + level.tableName);
            if (level.location >= 0) {
                fileLocations.add(level.location);
            }
        }
        if (!level.functionName.isEmpty() && "function".equals(level.property)) {
            functions.add(level.functionName);
        }
        if (level.namesFiles && "VALUE_CONSTANT".equals(level.type) && level.location >= 0) {
            fileLocations.add(level.location);
        }
    }

    boolean isError() {
        return error;
    }

    /** Whether the text parses, but is something other than a query. */
    boolean isOtherStatement() {
        return error && errorType.equals("not implemented");
    }

    String errorMessage() {
        return errorMessage;
    }

    /** Where in the text the error is, as far as that is known. */
    OptionalInt errorPosition() {
        return errorPosition < 0 ? OptionalInt.empty() : OptionalInt.of(errorPosition);
    }

    int statements() {
        return statements;
    }

    /** Whether a query holds a part that changes data. */
    boolean changes() {
        return changes;
    }

    List<String> tables() {
        return tables.stream().filter(table -> !commonTables.contains(table)).toList();
    }

    List<String> functions() {
        return List.copyOf(functions);
    }

    /** Where the text may name files, as offsets in its UTF-8 form. */
    List<Long> fileLocations() {
        return fileLocations;
    }
}
