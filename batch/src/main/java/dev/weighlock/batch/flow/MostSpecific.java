package dev.weighlock.batch.flow;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The most specific matching pattern wins: more literal characters, then fewer wildcards, then the longer one. Two
 * equally specific patterns that can match one code are a mistake.
 */
final class MostSpecific implements TransitionRule {
    private static final Comparator<Transition> SPECIFICITY = Comparator.comparingInt(
                    (Transition transition) -> -ExitCodePattern.literals(transition.pattern()))
            .thenComparingInt(transition -> ExitCodePattern.wildcards(transition.pattern()))
            .thenComparingInt(transition -> -transition.pattern().length());
    // Equally specific patterns never match the same code, so their order is only for the fingerprint.
    private static final Comparator<Transition> ORDER = SPECIFICITY.thenComparing(Transition::pattern);

    @Override
    public String label() {
        return "most-specific";
    }

    @Override
    public List<Transition> order(List<Transition> transitions) {
        return transitions.stream().sorted(ORDER).toList();
    }

    @Override
    public List<String> problems(List<Transition> transitions) {
        var problems = new ArrayList<String>();
        for (int i = 0; i < transitions.size(); i++) {
            for (int j = i + 1; j < transitions.size(); j++) {
                var a = transitions.get(i);
                var b = transitions.get(j);
                if (SPECIFICITY.compare(a, b) == 0 && ExitCodePattern.overlap(a.pattern(), b.pattern())) {
                    problems.add("the transitions \"" + a.pattern() + "\" and \"" + b.pattern()
                            + "\" are equally specific and can match the same exit code");
                }
            }
        }
        return problems;
    }
}
