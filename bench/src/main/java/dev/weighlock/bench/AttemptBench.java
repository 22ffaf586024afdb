package dev.weighlock.bench;

import dev.weighlock.query.AdmissionRequestId;
import dev.weighlock.query.MonotonicClock;
import dev.weighlock.query.attempt.AttemptAdmission;
import dev.weighlock.query.attempt.AttemptEnvironment;
import dev.weighlock.query.attempt.Attempts;
import dev.weighlock.query.attempt.BeginAttempt;
import dev.weighlock.query.attempt.TerminalCommit;
import dev.weighlock.query.device.DeviceLedger;
import dev.weighlock.query.device.Grant;
import dev.weighlock.query.device.GrantRequest;
import dev.weighlock.query.device.QueryCap;
import dev.weighlock.query.lifecycle.BackendLifecycle;
import dev.weighlock.query.metric.MetricsStore;
import dev.weighlock.query.report.AdmissionFact;
import dev.weighlock.query.report.AttemptReport;
import dev.weighlock.query.report.CapacityDisposition;
import dev.weighlock.query.report.Disposition;
import dev.weighlock.query.report.HealthTransition;
import dev.weighlock.query.report.Outcome;
import dev.weighlock.query.report.SealedProjection;
import dev.weighlock.query.testing.TestDevices;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Q2: one attempt from begin over admission, outcome and sealed report to its completion, with the default observation,
 * one sink and metrics on. The engine does nothing, so this is what the runtime itself costs each query.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(2)
@Warmup(iterations = 10, time = 1)
@Measurement(iterations = 5, time = 1)
public class AttemptBench {
    private static final long GRANT_BYTES = 1 << 20;
    private static final TerminalCommit RELEASED =
            TerminalCommit.of(CapacityDisposition.RELEASED, HealthTransition.HEALTHY_REUSE);

    private final DeviceLedger ledger = TestDevices.ledger(0, 64 * GRANT_BYTES, 8);
    private final MetricsStore metrics = new MetricsStore(1, List.of(0));
    private final Attempts attempts = new Attempts(
            AttemptEnvironment.of(new BackendLifecycle(MonotonicClock.SYSTEM), MonotonicClock.SYSTEM, "scripted"));
    private long lastRequest;

    /** Turns the metrics on. */
    public AttemptBench() {
        ledger.observeTransitions(metrics);
    }

    /** One admitted attempt. */
    @Benchmark
    public AttemptReport admittedAttempt() {
        var begin = attempts.begin(BeginAttempt.standard());
        try (var owner = begin.owner();
                var completion = begin.completion().completion()) {
            owner.registerReportSink(report -> metrics.record(SealedProjection.of(report), report.durations()));
            var handle = owner.handle();
            handle.recordPlanningStarted();
            handle.recordPlanningFinished();
            handle.recordDisposition(Disposition.NATIVE);
            var admission = owner.admissionBinding().claim();
            var grant = ledger.tryAdmit(new GrantRequest(
                            new AdmissionRequestId(++lastRequest), owner.attemptId(), QueryCap.of(GRANT_BYTES)))
                    .orElseThrow();
            admission.tryRecordAdmitted(new AdmissionFact(lastRequest, 0, 0, grant.bytes()), null);
            admission.bindGrantRelease(() -> release(admission, grant));
            handle.recordPhysicalExecutionStarted();
            handle.recordResult(1, true);
            owner.commitTerminal(Outcome.SUCCEEDED);
            return completion.poll().orElseThrow();
        }
    }

    private static void release(AttemptAdmission admission, Grant grant) {
        var publisher = admission.reportPublisher();
        publisher.beginCleanup();
        var outcome = admission.terminalizeForRelease(Outcome.DROPPED);
        admission.finishAdmitted(RELEASED);
        publisher.seal(outcome).run();
        grant.close();
    }

    /** One attempt that ends before it asks for anything. */
    @Benchmark
    public AttemptReport unadmittedAttempt() {
        var begin = attempts.begin(BeginAttempt.standard());
        try (var owner = begin.owner();
                var completion = begin.completion().completion()) {
            owner.registerReportSink(report -> metrics.record(SealedProjection.of(report), report.durations()));
            owner.commitTerminal(Outcome.SUCCEEDED);
            return completion.poll().orElseThrow();
        }
    }
}
