package dev.weighlock.app.command;

import dev.weighlock.app.command.WlProcess.Outcome;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What {@code wl show ID --json} says of one execution. */
record Shown(JsonNode document) {
    static Shown execution(Path folder, long id) throws Exception {
        Outcome outcome = WlProcess.run(folder, "show", Long.toString(id), "--json");
        if (outcome.code() != 0) {
            throw new AssertionError(outcome.err());
        }
        return new Shown(JsonMapper.builder().build().readTree(outcome.out()));
    }

    JsonNode step(String name) {
        for (JsonNode step : document.path("steps")) {
            if (step.path("step").asString().equals(name)) {
                return step;
            }
        }
        throw new AssertionError("no step " + name + " in " + document);
    }

    /** The accounts of all queries, of steps and of partitions. */
    List<JsonNode> queries() {
        List<JsonNode> queries = new ArrayList<>();
        for (JsonNode step : document.path("steps")) {
            add(queries, step.path("evidence"));
            step.path("partition_evidence").forEach(evidence -> add(queries, evidence));
        }
        return queries;
    }

    private static void add(List<JsonNode> queries, JsonNode evidence) {
        if (evidence.has("query")) {
            queries.add(evidence.path("query"));
        }
    }
}
