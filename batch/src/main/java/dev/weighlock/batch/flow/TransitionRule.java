package dev.weighlock.batch.flow;

import java.util.List;
import java.util.Optional;

/** Which of a node's transitions is taken. The runtime's own is {@link MostSpecific}. */
public interface TransitionRule {
    static TransitionRule mostSpecific() {
        return new MostSpecific();
    }

    /** The label of the rule in fingerprints. */
    String label();

    /** The transitions in the order of their precedence, the first match winning. */
    List<Transition> order(List<Transition> transitions);

    /** What is wrong with these transitions of one node, one sentence each; empty when nothing. */
    List<String> problems(List<Transition> transitions);

    /** The first of {@code ordered} that matches. */
    default Optional<Transition> choose(String exitCode, List<Transition> ordered) {
        return ordered.stream()
                .filter(transition -> ExitCodePattern.matches(transition.pattern(), exitCode))
                .findFirst();
    }
}
