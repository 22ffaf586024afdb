package dev.weighlock.query.device;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Random operations on ledgers beside their models, in episodes: {@link LedgerModelTest} runs a million, {@link #main} as
 * many as it is told, on all processors. Assertions must be on, for they add the books up again at every mutation.
 */
public final class LedgerModelRun {
    private static final int STEPS = 2_000;
    /** A ledger that only releases is soon empty; so many steps later it has nothing more to show. */
    private static final int STEPS_AFTER_THE_END = 200;

    private static final long DEFAULT_OPERATIONS = 100_000_000;

    private LedgerModelRun() {}

    /**
     * One ledger from its first grant to its last close.
     *
     * @return how many steps did something
     */
    static long episode(long seed, Random random) {
        LedgerWalk walk = new LedgerWalk(random);
        long done = 0;
        int left = STEPS_AFTER_THE_END;
        for (int step = 0; step < STEPS && left > 0; step++) {
            String operation = walk.step();
            check(walk, seed, operation, step);
            done += operation.equals(LedgerWalk.NOTHING) ? 0 : 1;
            left -= walk.onlyReleases() ? 1 : 0;
        }
        walk.closeAll();
        check(walk, seed, "the last close", STEPS);
        return done;
    }

    private static void check(LedgerWalk walk, long seed, String operation, int step) {
        String difference = walk.difference();
        if (difference != null) {
            throw new AssertionError("seed " + seed + ", after " + operation + " at step " + step + ": " + difference);
        }
    }

    /** @param args operations, then a seed; each may be left out */
    public static void main(String[] args) throws InterruptedException, ExecutionException {
        if (!LedgerModelRun.class.desiredAssertionStatus()) {
            throw new IllegalStateException("run with -ea: without assertions nobody adds the books up");
        }
        long operations = args.length > 0 ? Long.parseLong(args[0]) : DEFAULT_OPERATIONS;
        long seed = args.length > 1 ? Long.parseLong(args[1]) : System.nanoTime();
        int workers = Runtime.getRuntime().availableProcessors();
        System.out.printf(Locale.ROOT, "%,d operations, %d workers, seed %d%n", operations, workers, seed);
        long start = System.nanoTime();
        long done = run(operations, seed, workers);
        double seconds = (System.nanoTime() - start) / 1e9;
        System.out.printf(
                Locale.ROOT,
                "%,d operations in %.0f s, equal to the model after each, books added up at each mutation%n",
                done,
                seconds);
        System.out.printf(
                Locale.ROOT,
                "{\"id\":\"ledger-model\",\"operations\":%d,\"seconds\":%.1f,\"seed\":%d,\"workers\":%d,\"java\":\"%s\"}%n",
                done,
                seconds,
                seed,
                workers,
                Runtime.version());
    }

    private static long run(long operations, long seed, int workers) throws InterruptedException, ExecutionException {
        AtomicLong done = new AtomicLong();
        List<Future<?>> running = new ArrayList<>();
        try (var threads = Executors.newFixedThreadPool(workers)) {
            for (int worker = 0; worker < workers; worker++) {
                long own = seed + worker;
                running.add(threads.submit(() -> work(own, done, operations)));
            }
            for (Future<?> each : running) {
                each.get();
            }
        }
        return done.get();
    }

    private static void work(long seed, AtomicLong done, long operations) {
        Random random = new Random(seed);
        long tenth = Math.max(1, operations / 10);
        while (done.get() < operations) {
            long inEpisode = episode(seed, random);
            long after = done.addAndGet(inEpisode);
            if (after / tenth > (after - inEpisode) / tenth) {
                System.out.printf(Locale.ROOT, "%,d done%n", after);
            }
        }
    }
}
