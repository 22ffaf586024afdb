package dev.weighlock.batch.flow;

/**
 * Where to go when a node's exit code matches.
 *
 * @param pattern an exit code in which {@code *} stands for any characters and {@code ?} for one
 */
public record Transition(String pattern, Target target) {
    public static Transition on(String pattern, String target) {
        return new Transition(pattern, Target.parse(target));
    }

    @Override
    public String toString() {
        return pattern + " -> " + target.text();
    }
}
