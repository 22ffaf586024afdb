package dev.weighlock.app.prove.stand;

import dev.weighlock.batch.BatchStatus;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * One look of the watcher at the newest execution of a job, told because it differs from the look before.
 *
 * @param at when the answer was there, by the clock of this machine
 * @param committed partitions that this attempt completed
 * @param running bodies whose row is open
 * @param bodies that began
 * @param beats of all of them
 */
public record Seen(
        Instant at, long execution, BatchStatus status, long committed, long running, long bodies, long beats) {
    private static final String WORD = "seen";

    String line() {
        return String.join(
                " ",
                WORD,
                Long.toString(ChronoUnit.MICROS.between(Instant.EPOCH, at)),
                Long.toString(execution),
                status.name(),
                Long.toString(committed),
                Long.toString(running),
                Long.toString(bodies),
                Long.toString(beats));
    }

    static boolean isOne(String line) {
        return line.startsWith(WORD + " ");
    }

    static Seen parse(String line) {
        String[] words = line.split(" ", -1);
        return new Seen(
                Instant.EPOCH.plus(Long.parseLong(words[1]), ChronoUnit.MICROS),
                Long.parseLong(words[2]),
                BatchStatus.valueOf(words[3]),
                Long.parseLong(words[4]),
                Long.parseLong(words[5]),
                Long.parseLong(words[6]),
                Long.parseLong(words[7]));
    }

    /** Beats alone make no news while the execution goes on. */
    boolean isNewsAfter(Seen before) {
        return execution != before.execution
                || status != before.status
                || committed != before.committed
                || running != before.running
                || bodies != before.bodies
                || (!status.isActive() && beats != before.beats);
    }
}
