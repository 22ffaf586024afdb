package dev.weighlock.jobs.file;

import dev.weighlock.jobs.yaml.Position;

/**
 * One way on from a step.
 *
 * @param pattern of exit codes
 * @param target a step id, or COMPLETE, FAIL or STOP
 */
public record Transition(String from, String pattern, String target, Position at) {
    public static final String COMPLETE = "COMPLETE";
    public static final String FAIL = "FAIL";
    public static final String STOP = "STOP";

    /** Whether the job ends here. */
    public boolean ends() {
        return isEnd(target);
    }

    static boolean isEnd(String target) {
        return target.equals(COMPLETE) || target.equals(FAIL) || target.equals(STOP);
    }
}
