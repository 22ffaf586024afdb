package dev.weighlock.bench;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * One JMH benchmark in one fresh JVM.
 *
 * @param nanos mean of the wall's time of one operation
 * @param cpuNanos processor time of the process per operation
 * @param bytes allocated per operation
 */
record Sample(double nanos, double cpuNanos, double bytes) {
    private static final TimeValue SECOND = TimeValue.seconds(1);

    /** Runs one method of a benchmark class. */
    static Sample of(Class<?> benchmark, String method, int warmups) throws RunnerException {
        var options = new OptionsBuilder()
                .include("^\\Q" + benchmark.getName() + "." + method + "\\E$")
                .mode(Mode.AverageTime)
                .timeUnit(TimeUnit.NANOSECONDS)
                .forks(1)
                .warmupIterations(warmups)
                .warmupTime(SECOND)
                .measurementIterations(4)
                .measurementTime(SECOND)
                .jvmArgs("-Xms512m", "-Xmx512m", "--sun-misc-unsafe-memory-access=allow")
                .addProfiler(GCProfiler.class)
                .addProfiler(ProcessorTime.class)
                .verbosity(VerboseMode.SILENT)
                .shouldFailOnError(true)
                .build();
        RunResult result = new Runner(options).runSingle();
        return new Sample(
                result.getPrimaryResult().getScore(),
                secondary(result, ProcessorTime.LABEL),
                secondary(result, "gc.alloc.rate.norm"));
    }

    private static double secondary(RunResult result, String label) {
        Result<?> found = result.getSecondaryResults().get(label);
        return found == null ? Double.NaN : found.getScore();
    }

    static double median(List<Sample> samples, ToDoubleFunction<Sample> figure) {
        return median(samples.stream().mapToDouble(figure).toArray());
    }

    static double median(double[] figures) {
        double[] sorted = figures.clone();
        Arrays.sort(sorted);
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }

    /** The median of each figure. */
    static Sample medians(List<Sample> samples) {
        return new Sample(
                median(samples, Sample::nanos), median(samples, Sample::cpuNanos), median(samples, Sample::bytes));
    }

    String text() {
        return String.format(Locale.ROOT, "%9.1f %9.1f %9.1f", nanos, cpuNanos, bytes);
    }

    String json() {
        return String.format(Locale.ROOT, "{\"nanos\":%.1f,\"cpuNanos\":%.1f,\"bytes\":%.1f}", nanos, cpuNanos, bytes);
    }
}
