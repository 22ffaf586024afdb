package dev.weighlock.bench.postgres;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import dev.weighlock.batch.testkit.ChildJvm;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.slf4j.LoggerFactory;

/** B8 in a JVM of its own, whose heap is as small as the target says. */
final class LeftPartitions {
    private static final Duration LONGEST = Duration.ofMinutes(10);

    private LeftPartitions() {}

    /** Milliseconds until the first of those left began, and until the end; MiB of heap after it. */
    static double[] inOwnJvm(Place place, int count) throws Exception {
        Path folder = place.locks().resolveSibling("left");
        List<String> arguments = List.of(
                place.database(), Integer.toString(place.port()), place.locks().toString(), Integer.toString(count));
        try (ChildJvm child = ChildJvm.start(LeftPartitions.class, folder, List.of("-Xmx128m"), arguments)) {
            if (child.awaitExit(LONGEST) != 0) {
                throw new IllegalStateException(child.output());
            }
            String[] words = child.output().strip().split("\\s+", -1);
            double[] figures = new double[3];
            for (int i = 0; i < figures.length; i++) {
                figures[i] = Double.parseDouble(words[words.length - figures.length + i]);
            }
            return figures;
        }
    }

    public static void main(String[] args) throws Exception {
        ((Logger) LoggerFactory.getLogger(Logger.ROOT_LOGGER_NAME)).setLevel(Level.OFF);
        Place place = new Place(args[0], Integer.parseInt(args[1]), 10, Path.of(args[2]));
        try (Weighlock side = new Weighlock(place)) {
            double[] taken = side.leftOver(Integer.parseInt(args[3]));
            System.gc();
            Runtime runtime = Runtime.getRuntime();
            double heap = (runtime.totalMemory() - runtime.freeMemory()) / (double) (1 << 20);
            System.out.println(taken[0] * 1e3 + " " + taken[1] * 1e3 + " " + heap);
        }
    }
}
