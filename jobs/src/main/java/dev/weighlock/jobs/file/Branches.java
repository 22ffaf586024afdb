package dev.weighlock.jobs.file;

import dev.weighlock.jobs.file.StepReader.Outline;
import dev.weighlock.jobs.yaml.Position;
import dev.weighlock.jobs.yaml.Problems;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Every step of a branch stands in one branch of one split, and a split leads on from where it stands. */
final class Branches {
    private final Problems problems;
    private final Map<String, StepWork> works = new HashMap<>();
    private final Set<String> ids;
    /** Step of a branch to its split. */
    private final Map<String, String> owners = new HashMap<>();

    private Branches(Problems problems, List<Outline> steps) {
        this.problems = problems;
        this.ids = steps.stream().map(Outline::id).collect(Collectors.toSet());
        steps.forEach(one -> one.step().ifPresent(step -> works.put(step.id(), step.work())));
    }

    /** The ids of all steps that stand in branches. */
    static Set<String> idsOf(Stream<StepWork> works) {
        return works.filter(SplitKeys.class::isInstance)
                .flatMap(work -> ((SplitKeys) work).branches().stream())
                .flatMap(List::stream)
                .collect(Collectors.toUnmodifiableSet());
    }

    static void check(List<Outline> steps, Problems problems) {
        Branches branches = new Branches(problems, steps);
        for (Outline step : steps) {
            step.step().ifPresent(sound -> {
                if (sound.work() instanceof SplitKeys split) {
                    branches.collect(step.id(), split, step.at());
                }
            });
        }
        for (Outline step : steps) {
            step.step().ifPresent(sound -> {
                if (sound.work() instanceof SplitKeys split) {
                    branches.checkNesting(step.id(), step.at());
                    branches.checkJoin(step.id(), split, step.at());
                }
            });
        }
    }

    private void collect(String id, SplitKeys split, Position at) {
        if (split.branches().size() < 2) {
            problems.error(at, "the split '%s' has one branch only".formatted(id), "add another or remove the split");
        }
        for (String inner : split.branches().stream().flatMap(List::stream).toList()) {
            String before = owners.putIfAbsent(inner, id);
            if (!ids.contains(inner)) {
                problems.error(
                        at, "the split '%s' names the unknown step '%s'".formatted(id, inner), "write a step's id");
            } else if (before != null) {
                problems.error(
                        at,
                        "the step '%s' stands in two branches, of '%s' and '%s'".formatted(inner, before, id),
                        "name it once");
            } else if (works.get(inner) instanceof DecisionKeys) {
                problems.error(
                        at,
                        "the decision '%s' would lead nowhere in a branch".formatted(inner),
                        "decide before or after the split");
            }
        }
    }

    private void checkNesting(String id, Position at) {
        Set<String> seen = new HashSet<>(Set.of(id));
        for (String owner = owners.get(id); owner != null; owner = owners.get(owner)) {
            if (owner.equals(id)) {
                problems.error(at, "the split '%s' stands in its own branch".formatted(id), "take it out of there");
            }
            if (!seen.add(owner)) {
                return;
            }
        }
    }

    private void checkJoin(String id, SplitKeys split, Position at) {
        String join = split.join();
        String owner = owners.get(id);
        if (!ids.contains(join)) {
            problems.error(at, "'join' of '%s' names the unknown step '%s'".formatted(id, join), "write a step's id");
        } else if (owner == null && (owners.containsKey(join) || join.equals(id))) {
            problems.error(
                    at,
                    "'join' of '%s' names '%s', which does not come after it".formatted(id, join),
                    "write the step that runs after all branches");
        } else if (owner != null && !follows(owner, id, join)) {
            problems.error(
                    at,
                    "'join' of '%s' is not the step behind it in its branch".formatted(id),
                    "put '%s' behind it in the branch".formatted(join));
        }
    }

    private boolean follows(String owner, String id, String join) {
        return works.get(owner) instanceof SplitKeys outer
                && outer.branches().stream().anyMatch(branch -> {
                    int at = branch.indexOf(id);
                    return at >= 0
                            && at + 1 < branch.size()
                            && branch.get(at + 1).equals(join);
                });
    }
}
