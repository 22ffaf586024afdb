package dev.weighlock.bench.stop;

import java.sql.SQLException;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * One job that was stopped, as the watcher saw it; all in milliseconds from the request on.
 *
 * @param stopping until the job's row said STOPPING, or what comes after it
 * @param job until the job's row said that it is over
 * @param all until every partition's and step's row said so too
 * @param body until the last beat of a body
 * @param beatsAfter beats of bodies after the job's row said that it is over
 * @param look from one look of the watcher to the next
 */
record Stopped(double stopping, double job, double all, double body, double beatsAfter, double look) {
    private static final Duration LONGEST = Duration.ofMinutes(2);
    private static final long PAUSE_NANOS = 1_000_000;

    /** From a stored end that bodies do not keep to; longer than a body runs. */
    private static final Duration AFTERMATH = Work.BODY.plusMillis(300);

    /** Waits until the newest execution works, asks for its stop at a moment by chance, and watches until all is over. */
    static Stopped one(Outside side, BeatTable beats, long before, Random random) throws Exception {
        long execution = awaitWorking(side, before);
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(random.nextInt((int) Work.BODY.toMillis())));
        beats.clear();
        long requested = Beats.now();
        side.requestStop(execution);
        long stopping = 0;
        long job = 0;
        long all = 0;
        int looks = 0;
        while (all == 0) {
            Outside.Look look = side.look(execution);
            long now = Beats.now();
            looks++;
            stopping = stopping > 0 || look.status().equals("STARTED") ? stopping : now;
            job = job > 0 || !look.isJobOver() ? job : now;
            all = look.isAllOver() ? now : 0;
            check(now - requested, execution);
            LockSupport.parkNanos(PAUSE_NANOS);
        }
        long last = beats.awaitSilence(AFTERMATH);
        return new Stopped(
                millis(stopping - requested),
                millis(job - requested),
                millis(all - requested),
                millis(last - requested),
                beats.after(job),
                millis(all - requested) / looks);
    }

    private static double millis(long micros) {
        return micros / 1e3;
    }

    /** A whole round of workers is done, and the next one is under way. */
    private static long awaitWorking(Outside side, long before) throws SQLException {
        long begun = Beats.now();
        long execution = side.newest();
        while (execution <= before || side.look(execution).done() < Work.WORKERS) {
            check(Beats.now() - begun, execution);
            LockSupport.parkNanos(PAUSE_NANOS);
            execution = side.newest();
        }
        return execution;
    }

    private static void check(long micros, long execution) {
        if (TimeUnit.MICROSECONDS.toSeconds(micros) > LONGEST.toSeconds()) {
            throw new IllegalStateException("execution " + execution + " stands still");
        }
    }
}
