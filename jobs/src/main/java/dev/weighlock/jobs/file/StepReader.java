package dev.weighlock.jobs.file;

import dev.weighlock.jobs.yaml.Position;
import dev.weighlock.jobs.yaml.Problems;
import dev.weighlock.jobs.yaml.Scalars;
import dev.weighlock.jobs.yaml.YamlNode;
import dev.weighlock.jobs.yaml.YamlNode.Entries;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** Reads {@code steps}. A step that is not sound keeps its id, so that the flow around it is still checked. */
final class StepReader {
    private final Problems problems;
    private final SqlFiles sqlFiles;
    private final String shownName;

    StepReader(Problems problems, SqlFiles sqlFiles, String shownName) {
        this.problems = problems;
        this.sqlFiles = sqlFiles;
        this.shownName = shownName;
    }

    /** A step's id and place, and the step itself where it is sound. */
    record Outline(String id, Position at, Optional<FileStep> step) {}

    List<Outline> read(Entries root) {
        List<Outline> outlines = new ArrayList<>();
        Map<String, Position> seen = new HashMap<>();
        for (YamlNode node : root.list("steps")) {
            Optional<String> id = node instanceof Entries keys ? keys.read("id", StepGrammar.NAME) : Optional.empty();
            if (id.isEmpty()) {
                continue;
            }
            Position idAt = ((Entries) node).value("id").orElseThrow().at();
            Position first = seen.putIfAbsent(id.get(), idAt);
            if (first == null) {
                outlines.add(new Outline(id.get(), idAt, step(id.get(), (Entries) node)));
            } else {
                problems.error(
                        idAt,
                        "the step id '%s' stands twice".formatted(id.get()),
                        "rename this one or the one on line " + first.line());
            }
            checkReserved(id.get(), idAt);
        }
        return outlines;
    }

    private void checkReserved(String id, Position at) {
        if (Transition.isEnd(id)) {
            problems.error(at, "no step may be called '%s'".formatted(id), "choose another id");
        }
    }

    private Optional<FileStep> step(String id, Entries keys) {
        Problems own = new Problems(shownName);
        StepGrammar.STEP.check("step", keys, own);
        if (own.hasErrors()) {
            return Optional.empty();
        }
        int before = problems.count();
        Optional<StepWork> work = new WorkReader(problems, sqlFiles, shownName).read(keys);
        Optional<PartitionKeys> partition = keys.map("partition").map(this::partition);
        if (work.isEmpty() || problems.count() > before) {
            return Optional.empty();
        }
        OptionalInt startLimit = keys.read("start_limit", StepGrammar.COUNT)
                .map(limit -> OptionalInt.of(limit.intValue()))
                .orElse(OptionalInt.empty());
        boolean again = keys.read("allow_start_if_complete", Scalars.FLAG).orElse(false);
        List<String> listeners = WorkReader.texts(keys, "listeners");
        return Optional.of(new FileStep(id, keys.at(), work.get(), partition, startLimit, again, listeners));
    }

    private PartitionKeys partition(Entries map) {
        List<String> fixed = WorkReader.texts(map, "keys");
        if (fixed.stream().distinct().count() < fixed.size()) {
            problems.error(map.at(), "'keys' holds a key twice", "remove the second");
        }
        return new PartitionKeys(
                map.scalar("by").map(scalar -> SqlReader.inline(scalar, shownName)),
                fixed,
                map.text("class"),
                map.read("workers", StepGrammar.WORKERS)
                        .map(count -> OptionalInt.of(count.intValue()))
                        .orElse(OptionalInt.empty()),
                map.read("on_failure", StepGrammar.ON_FAILURE).orElse(OnFailure.CANCEL));
    }
}
