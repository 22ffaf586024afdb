package dev.weighlock.query.attempt;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weighlock.query.lifecycle.BackendLifecycle;
import dev.weighlock.query.observe.EventClass;
import dev.weighlock.query.observe.ObservationConfig;
import dev.weighlock.query.observe.SealedObservation;
import dev.weighlock.query.report.AdmissionFact;
import dev.weighlock.query.report.AttemptReport;
import dev.weighlock.query.report.CapacityDisposition;
import dev.weighlock.query.report.Disposition;
import dev.weighlock.query.report.HealthTransition;
import dev.weighlock.query.report.Outcome;
import dev.weighlock.query.testing.ManualClock;
import dev.weighlock.query.testing.TestAttempts;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/** One attempt on a manual clock, with what its tests ask of it. */
final class AttemptFixture {
    static final TerminalCommit RELEASED =
            TerminalCommit.of(CapacityDisposition.RELEASED, HealthTransition.HEALTHY_REUSE);

    final ManualClock clock = new ManualClock();
    final BackendLifecycle lifecycle = TestAttempts.lifecycle(clock);
    final Attempts attempts;
    final AttemptBegin begin;
    final AttemptOwner owner;
    final CompletionFactory factory;
    final AttemptHandle handle;
    private final AtomicReference<SealedObservation> sealed = new AtomicReference<>();

    AttemptFixture() {
        this(BeginAttempt.standard());
    }

    AttemptFixture(ObservationConfig observation) {
        this(BeginAttempt.standard().withObservation(observation));
    }

    AttemptFixture(BeginAttempt request) {
        this(request, Optional.empty());
    }

    AttemptFixture(AbandonedReports queue) {
        this(BeginAttempt.standard(), Optional.of(queue));
    }

    private AttemptFixture(BeginAttempt request, Optional<AbandonedReports> queue) {
        var environment = AttemptEnvironment.of(lifecycle, clock, "scripted")
                .withWall(InstantSource.fixed(Instant.ofEpochSecond(0, 42)));
        attempts = new Attempts(queue.map(environment::withAbandoned).orElse(environment));
        begin = attempts.begin(request);
        owner = begin.owner();
        factory = begin.completion();
        handle = owner.handle();
        owner.admissionBinding().registerSealObserver(sealed::set);
    }

    AttemptFixture planned() {
        handle.recordPlanningStarted();
        handle.recordPlanningFinished();
        handle.recordDisposition(Disposition.NATIVE);
        return this;
    }

    AttemptAdmission admitted() {
        return admitted(new AdmissionFact(1, 0, 0, 1));
    }

    AttemptAdmission admitted(AdmissionFact fact) {
        planned();
        var admission = owner.admissionBinding().claim();
        assertThat(admission.tryRecordAdmitted(fact, null)).isTrue();
        return admission;
    }

    /** What a query service does once it has cleaned up. */
    void release(AttemptAdmission admission, TerminalCommit commit) {
        var publisher = admission.reportPublisher();
        var outcome = admission.terminalizeForRelease(Outcome.DROPPED);
        admission.finishAdmitted(commit);
        publisher.seal(outcome).run();
    }

    AttemptReport report() {
        try (var completion = factory.completion()) {
            return completion.await(Duration.ofSeconds(30)).orElseThrow();
        } catch (InterruptedException interrupted) {
            throw new AssertionError(interrupted);
        }
    }

    SealedObservation sealed() {
        var observation = sealed.get();
        assertThat(observation).isNotNull();
        return observation;
    }

    long cleanupEvents() {
        return sealed().events().stream()
                .filter(event -> event.payload().eventClass() == EventClass.CLEANUP_FAILURE)
                .count();
    }

    AttemptCounters.Snapshot counters() {
        return attempts.counters();
    }
}
