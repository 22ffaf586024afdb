package dev.weighlock.batch.launch;

import dev.weighlock.batch.StepName;
import dev.weighlock.batch.stop.StopToken;
import java.util.Optional;
import java.util.Set;

/**
 * How to launch.
 *
 * @param actor who launches, for the audit of restarts and accepted changes
 * @param acceptedChanges steps whose definition may differ from the last attempt's
 * @param stopToken the caller's own wish to stop, beside requests in the repository
 * @param onCallerThread whether the job runs on the calling thread, which must be a platform thread
 * @param aheadOfQueue whether launches that wait for a slot are passed: for what had a slot when its process died
 * @param key an idempotency key: a second restart with it is refused with ALREADY_DONE
 */
public record LaunchOptions(
        String actor,
        Set<StepName> acceptedChanges,
        StopToken stopToken,
        boolean onCallerThread,
        boolean aheadOfQueue,
        Optional<String> key) {
    public static final LaunchOptions DEFAULT =
            new LaunchOptions("unknown", Set.of(), StopToken.never(), false, false, Optional.empty());

    public LaunchOptions {
        acceptedChanges = Set.copyOf(acceptedChanges);
    }

    public LaunchOptions withActor(String name) {
        return new LaunchOptions(name, acceptedChanges, stopToken, onCallerThread, aheadOfQueue, key);
    }

    public LaunchOptions withAcceptedChanges(Set<StepName> steps) {
        return new LaunchOptions(actor, steps, stopToken, onCallerThread, aheadOfQueue, key);
    }

    public LaunchOptions withStopToken(StopToken token) {
        return new LaunchOptions(actor, acceptedChanges, token, onCallerThread, aheadOfQueue, key);
    }

    public LaunchOptions withCallerThread() {
        return new LaunchOptions(actor, acceptedChanges, stopToken, true, aheadOfQueue, key);
    }

    LaunchOptions ahead() {
        return new LaunchOptions(actor, acceptedChanges, stopToken, onCallerThread, true, key);
    }

    public LaunchOptions withKey(Optional<String> idempotencyKey) {
        return new LaunchOptions(actor, acceptedChanges, stopToken, onCallerThread, aheadOfQueue, idempotencyKey);
    }
}
