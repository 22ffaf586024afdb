package dev.weighlock.bench;

import dev.weighlock.query.testkit.load.WatchedJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Q5: 64 named queries at once under a budget of one GiB, 32 that spill and 32 that cannot: through the runtime, in one shared
 * instance of the driver's with one GiB, and one after another in instances with the limit that the runtime gives each. Every
 * side is a process of its own whose resident set is sampled every 50 ms; the series stay in a folder.
 */
public final class MixedLoad {
    private static final long HEAP = 128 * OpenRuntime.MIB;
    private static final long BOUND = HEAP + MixedLoadProcess.BUDGET;

    private final Path output;
    private final List<String> lines = new ArrayList<>();

    private MixedLoad(Path output) {
        this.output = output;
    }

    /** How many pairs (3), and the folder for the series (bench/target/mixed-load). */
    public static void main(String[] args) throws Exception {
        int pairs = args.length > 0 ? Integer.parseInt(args[0]) : 3;
        var output = Path.of(args.length > 1 ? args[1] : "bench/target/mixed-load");
        Files.createDirectories(output);
        new MixedLoad(output).run(pairs);
    }

    private void run(int pairs) throws Exception {
        var serial = new Comparison("Q5", "64 queries, 1 GiB", "s", "runtime at once", "one after another");
        var shared = new Comparison("Q5", "64 queries, 1 GiB", "s", "runtime at once", "shared instance at once");
        for (int pair = 0; pair < pairs; pair++) {
            var ours = side("runtime", pair);
            serial.add(ours.seconds(), side("serial", pair).seconds());
            shared.add(ours.seconds(), side("shared", pair).seconds());
            if (ours.failed() > 0 || ours.overGrant() > 0 || ours.peakResident() > BOUND) {
                System.out.println("NOT HELD: " + ours);
            }
        }
        lines.forEach(System.out::println);
        System.out.printf(
                Locale.ROOT,
                "the runtime's process may take %d MiB: heap %d MiB, budget %d MiB; series in %s%n",
                BOUND >> 20,
                HEAP >> 20,
                MixedLoadProcess.BUDGET >> 20,
                output);
        Comparison.print(List.of(serial, shared));
    }

    /**
     * What one process did.
     *
     * @param overGrant queries whose peak was over their grant
     */
    private record Side(int succeeded, int failed, int overGrant, double seconds, long peakResident) {}

    private Side side(String name, int pair) throws IOException, InterruptedException {
        var folder = Files.createTempDirectory("weighlock-bench-");
        try {
            var watched = WatchedJvm.run(
                    folder,
                    List.of("-Xmx" + HEAP, "-XX:+UseSerialGC"),
                    MixedLoadProcess.class,
                    name,
                    folder.resolve("spill").toString());
            watched.keepSeries(output.resolve(name + "-" + pair + ".csv"));
            if (watched.exitCode() != 0) {
                throw new IllegalStateException(name + " ended with " + watched.exitCode() + ": " + watched.errors());
            }
            Files.write(output.resolve(name + "-" + pair + ".txt"), watched.output());
            return told(name, side(watched));
        } finally {
            Folders.delete(folder);
        }
    }

    private static Side side(WatchedJvm watched) {
        int succeeded = 0;
        int failed = 0;
        int over = 0;
        double seconds = Double.NaN;
        for (String line : watched.output()) {
            String[] words = line.split(" ", 5);
            switch (words[0]) {
                case "TOTAL" -> seconds = Long.parseLong(words[1]) / 1e9;
                case "SUCCEEDED" -> succeeded++;
                default -> failed++;
            }
            if (words.length > 3 && !words[2].equals("null") && Long.parseLong(words[3]) > Long.parseLong(words[2])) {
                over++;
            }
        }
        return new Side(succeeded, failed, over, seconds, watched.peakResidentBytes());
    }

    private Side told(String name, Side side) {
        lines.add(String.format(
                Locale.ROOT,
                "  %-8s %7.2f s  succeeded %2d  failed %2d  over their grant %d  resident at most %4d MiB",
                name,
                side.seconds(),
                side.succeeded(),
                side.failed(),
                side.overGrant(),
                side.peakResident() >> 20));
        return side;
    }
}
