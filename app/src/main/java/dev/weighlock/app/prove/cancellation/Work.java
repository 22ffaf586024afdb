package dev.weighlock.app.prove.cancellation;

import dev.weighlock.app.prove.stand.Bodies;
import dev.weighlock.app.prove.stand.Target;
import dev.weighlock.batch.stop.StopToken;

/**
 * What one body is given.
 *
 * @param job its job's name
 * @param key of its partition
 * @param attempt of its step, from 1
 * @param bodies where it says that it runs
 * @param target the database it may use
 */
record Work(String job, long execution, String key, int attempt, StopToken stop, Bodies bodies, Target target) {
    Work withKey(String other) {
        return new Work(job, execution, other, attempt, stop, bodies, target);
    }
}
