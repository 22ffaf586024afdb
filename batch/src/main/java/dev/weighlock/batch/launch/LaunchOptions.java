package dev.weighlock.batch.launch;

import dev.weighlock.batch.StepName;
import dev.weighlock.batch.stop.StopToken;
import java.util.Set;

/**
 * How to launch.
 *
 * @param actor who launches, for the audit of accepted changes
 * @param acceptedChanges steps whose definition may differ from the last attempt's
 * @param stopToken the caller's own wish to stop, beside requests in the repository
 * @param onCallerThread whether the job runs on the calling thread, which must be a platform thread
 */
public record LaunchOptions(String actor, Set<StepName> acceptedChanges, StopToken stopToken, boolean onCallerThread) {
    public static final LaunchOptions DEFAULT = new LaunchOptions("unknown", Set.of(), StopToken.never(), false);

    public LaunchOptions {
        acceptedChanges = Set.copyOf(acceptedChanges);
    }

    public LaunchOptions withActor(String name) {
        return new LaunchOptions(name, acceptedChanges, stopToken, onCallerThread);
    }

    public LaunchOptions withAcceptedChanges(Set<StepName> steps) {
        return new LaunchOptions(actor, steps, stopToken, onCallerThread);
    }

    public LaunchOptions withStopToken(StopToken token) {
        return new LaunchOptions(actor, acceptedChanges, token, onCallerThread);
    }

    public LaunchOptions withCallerThread() {
        return new LaunchOptions(actor, acceptedChanges, stopToken, true);
    }
}
