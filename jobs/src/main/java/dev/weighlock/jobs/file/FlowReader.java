package dev.weighlock.jobs.file;

import dev.weighlock.batch.flow.TransitionRule;
import dev.weighlock.jobs.file.StepReader.Outline;
import dev.weighlock.jobs.yaml.NearestName;
import dev.weighlock.jobs.yaml.Position;
import dev.weighlock.jobs.yaml.Problems;
import dev.weighlock.jobs.yaml.YamlNode;
import dev.weighlock.jobs.yaml.YamlNode.Entries;
import dev.weighlock.jobs.yaml.YamlNode.Entry;
import dev.weighlock.jobs.yaml.YamlNode.Scalar;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Reads {@code flow} and adds what it leaves unsaid: the next step in order, and FAILED to FAIL. */
final class FlowReader {
    private static final String ANY = "*";
    private static final String FAILED = "FAILED";

    private final Problems problems;
    private final List<Outline> steps;
    private final Set<String> ids;
    private final Set<String> branchIds;

    FlowReader(Problems problems, List<Outline> steps) {
        this.problems = problems;
        Set<String> inBranches = Branches.idsOf(
                steps.stream().flatMap(one -> one.step().stream()).map(FileStep::work));
        this.steps =
                steps.stream().filter(one -> !inBranches.contains(one.id())).toList();
        this.branchIds = inBranches;
        this.ids = this.steps.stream().map(Outline::id).collect(Collectors.toSet());
    }

    List<Transition> read(Entries root) {
        List<Transition> written = new ArrayList<>();
        Set<String> withEntry = new HashSet<>();
        for (Entry entry : root.map("flow").map(Entries::entries).orElse(List.of())) {
            if (ids.contains(entry.key())) {
                withEntry.add(entry.key());
                written.addAll(transitions(entry));
            } else if (branchIds.contains(entry.key())) {
                problems.error(
                        entry.keyAt(),
                        "the step '%s' stands in a branch, which goes on when it completed".formatted(entry.key()),
                        "write the ways of the split instead");
            } else {
                unknown(entry.key(), "step", entry.keyAt());
            }
        }
        List<Transition> all = new ArrayList<>();
        for (int i = 0; i < steps.size(); i++) {
            String id = steps.get(i).id();
            if (withEntry.contains(id)) {
                List<Transition> own =
                        written.stream().filter(one -> one.from().equals(id)).toList();
                checkAmbiguity(own);
                all.addAll(own);
            } else {
                String next = next(i);
                all.addAll(pair(id, next, steps.get(i).at()));
            }
        }
        FlowRules.check(steps, all, problems);
        return all;
    }

    private String next(int index) {
        Optional<StepWork> work = steps.get(index).step().map(FileStep::work);
        if (work.isPresent() && work.get() instanceof SplitKeys split && ids.contains(split.join())) {
            return split.join();
        }
        return index + 1 < steps.size() ? steps.get(index + 1).id() : Transition.COMPLETE;
    }

    private void checkAmbiguity(List<Transition> own) {
        List<dev.weighlock.batch.flow.Transition> ways = own.stream()
                .map(one -> dev.weighlock.batch.flow.Transition.on(one.pattern(), one.target()))
                .toList();
        TransitionRule.mostSpecific()
                .problems(ways)
                .forEach(message ->
                        problems.error(own.getFirst().at(), message.replace(';', ','), "make one more specific"));
    }

    private List<Transition> transitions(Entry entry) {
        String from = entry.key();
        List<Transition> found = new ArrayList<>();
        if (entry.value() instanceof Scalar scalar) {
            if (isTarget(scalar)) {
                found.addAll(pair(from, scalar.text(), scalar.at()));
            }
        } else if (entry.value() instanceof Entries map) {
            for (Entry way : map.entries()) {
                if (way.value() instanceof Scalar target && isTarget(target)) {
                    found.add(new Transition(from, way.key(), target.text(), way.keyAt()));
                }
            }
        }
        return found;
    }

    private static List<Transition> pair(String from, String target, Position at) {
        return List.of(new Transition(from, FAILED, Transition.FAIL, at), new Transition(from, ANY, target, at));
    }

    private boolean isTarget(YamlNode.Scalar scalar) {
        boolean known = ids.contains(scalar.text()) || Transition.isEnd(scalar.text());
        if (!known) {
            unknown(scalar.text(), "target", scalar.at());
        }
        return known;
    }

    private void unknown(String name, String what, Position at) {
        Set<String> known = new HashSet<>(ids);
        known.addAll(List.of(Transition.COMPLETE, Transition.FAIL, Transition.STOP));
        String todo = NearestName.of(name, known)
                .map(nearest -> "did you mean '%s'?".formatted(nearest))
                .orElse("write a step id, or COMPLETE, FAIL or STOP");
        problems.error(at, "'%s' in 'flow' is no %s".formatted(name, what), todo);
    }
}
