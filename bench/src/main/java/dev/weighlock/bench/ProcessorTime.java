package dev.weighlock.bench;

import java.util.Collection;
import java.util.List;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.ScalarResult;

/**
 * Processor time of the whole benchmark process per operation, collector and compiler included. Where other work runs on
 * the machine it says more than the wall's time.
 */
public final class ProcessorTime implements InternalProfiler {
    static final String LABEL = "cpu.norm";

    private long before;

    public ProcessorTime() {}

    @Override
    public String getDescription() {
        return "processor time of the process per operation";
    }

    @Override
    public void beforeIteration(BenchmarkParams benchmark, IterationParams iteration) {
        before = Processor.nanos();
    }

    @Override
    public Collection<ScalarResult> afterIteration(
            BenchmarkParams benchmark, IterationParams iteration, IterationResult result) {
        double nanos = Processor.nanos() - before;
        return List.of(new ScalarResult(
                LABEL, nanos / Math.max(1, result.getMetadata().getAllOps()), "ns/op", AggregationPolicy.AVG));
    }
}
