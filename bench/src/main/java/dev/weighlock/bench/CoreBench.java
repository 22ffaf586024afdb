package dev.weighlock.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.openjdk.jmh.runner.RunnerException;

/**
 * Q1 and Q2 in one run. Q1: the ledger and its baseline take turns, each in a fresh JVM, and every pair gives a ratio.
 * Q2 has no peer; it is run as often. Prints a table, then one line of JSON for each.
 */
public final class CoreBench {
    private static final int DEFAULT_PAIRS = 5;
    private static final int LEDGER_WARMUPS = 4;
    /** An attempt crosses much code: it takes longer until all of it is compiled. */
    private static final int ATTEMPT_WARMUPS = 10;

    private CoreBench() {}

    /**
     * Runs both.
     *
     * @param args the number of pairs, five without it
     */
    public static void main(String[] args) throws RunnerException {
        int pairs = args.length == 0 ? DEFAULT_PAIRS : Integer.parseInt(args[0]);
        System.out.println(Machine.now().text());
        ledger(pairs);
        attempt(pairs);
    }

    private static void ledger(int pairs) throws RunnerException {
        System.out.println("Q1  admit + release, one thread, metrics observer on; nanoseconds and bytes an operation");
        System.out.println("pair    ledger       cpu     bytes  baseline       cpu     bytes   ratio  by cpu");
        List<Sample> ours = new ArrayList<>();
        List<Sample> theirs = new ArrayList<>();
        for (int pair = 0; pair < pairs; pair++) {
            ours.add(Sample.of(LedgerBench.class, "admitAndRelease", LEDGER_WARMUPS));
            theirs.add(Sample.of(LedgerBench.class, "baseline", LEDGER_WARMUPS));
            row(
                    Integer.toString(pair + 1),
                    ours.getLast(),
                    theirs.getLast(),
                    ratio(ours, theirs, pair),
                    cpuRatio(ours, theirs, pair));
        }
        double[] ratios = IntStream.range(0, pairs)
                .mapToDouble(i -> ratio(ours, theirs, i))
                .toArray();
        double[] byCpu = IntStream.range(0, pairs)
                .mapToDouble(i -> cpuRatio(ours, theirs, i))
                .toArray();
        Sample our = Sample.medians(ours);
        Sample their = Sample.medians(theirs);
        row("med", our, their, Sample.median(ratios), Sample.median(byCpu));
        System.out.printf(
                Locale.ROOT,
                "{\"id\":\"Q1\",\"opsPerMicro\":%.2f,\"ratio\":%.3f,\"ratioByCpu\":%.3f,\"ratios\":%s,\"ledger\":%s,"
                        + "\"baseline\":%s,\"machine\":%s}%n",
                1_000 / our.nanos(),
                Sample.median(ratios),
                Sample.median(byCpu),
                json(ratios),
                our.json(),
                their.json(),
                Machine.now().json());
    }

    private static void row(String label, Sample our, Sample their, double ratio, double byCpu) {
        System.out.printf(Locale.ROOT, "%-4s %s %s %7.2f %7.2f%n", label, our.text(), their.text(), ratio, byCpu);
    }

    private static double ratio(List<Sample> ours, List<Sample> theirs, int pair) {
        return theirs.get(pair).nanos() / ours.get(pair).nanos();
    }

    private static double cpuRatio(List<Sample> ours, List<Sample> theirs, int pair) {
        return theirs.get(pair).cpuNanos() / ours.get(pair).cpuNanos();
    }

    private static String json(double[] figures) {
        return IntStream.range(0, figures.length)
                .mapToObj(i -> String.format(Locale.ROOT, "%.3f", figures[i]))
                .collect(Collectors.joining(",", "[", "]"));
    }

    private static void attempt(int rounds) throws RunnerException {
        System.out.println("Q2  begin, admit, outcome, sealed report, completion; nanoseconds and bytes an attempt");
        System.out.println("run    attempt       cpu     bytes");
        List<Sample> samples = new ArrayList<>();
        for (int round = 0; round < rounds; round++) {
            samples.add(Sample.of(AttemptBench.class, "admittedAttempt", ATTEMPT_WARMUPS));
            System.out.printf("%-4d %s%n", round + 1, samples.getLast().text());
        }
        Sample median = Sample.medians(samples);
        System.out.printf("med  %s%n", median.text());
        System.out.printf(
                Locale.ROOT,
                "{\"id\":\"Q2\",\"attempt\":%s,\"machine\":%s}%n",
                median.json(),
                Machine.now().json());
    }
}
