package dev.weighlock.query.attempt;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weighlock.query.Deadline;
import dev.weighlock.query.ErrorCode;
import dev.weighlock.query.QueryException;
import dev.weighlock.query.lifecycle.BackendLifecycle;
import dev.weighlock.query.observe.SealedObservation;
import dev.weighlock.query.report.AdmissionFact;
import dev.weighlock.query.report.AttemptReport;
import dev.weighlock.query.report.CapacityDisposition;
import dev.weighlock.query.report.CleanupPhase;
import dev.weighlock.query.report.Disposition;
import dev.weighlock.query.report.HealthTransition;
import dev.weighlock.query.report.Outcome;
import dev.weighlock.query.report.ReportJson;
import dev.weighlock.query.testing.LeakCheck;
import dev.weighlock.query.testing.ManualClock;
import dev.weighlock.query.testing.TestAttempts;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Calls in any order: what is illegal is refused, and every attempt ends with one outcome in one report. */
class RandomAttemptTest {
    private static final int ATTEMPTS = 5_000;
    private static final long SEED = 20261202;

    private final ManualClock clock = new ManualClock();
    private final BackendLifecycle lifecycle = TestAttempts.lifecycle(clock);
    private final AbandonedReports queue = new AbandonedReports(16);
    private final Attempts attempts =
            new Attempts(AttemptEnvironment.of(lifecycle, clock, "scripted").withAbandoned(queue));

    @Test
    void calls_inAnyOrder_endInOneOutcomeAndOneReport() {
        calls(Long.getLong("weighlock.seed", SEED));
    }

    @Tag("long")
    @Test
    void calls_inAFreshOrder_endInOneOutcomeAndOneReport() {
        calls(System.nanoTime());
    }

    private void calls(long seed) {
        System.out.println("RandomAttemptTest seed " + seed);
        var random = new Random(seed);
        for (var i = 0; i < ATTEMPTS; i++) {
            new Life(random).live(1 + random.nextInt(30));
        }

        assertThat(attempts.counters().attemptsBegun()).isEqualTo(ATTEMPTS);
        assertThat(attempts.counters().reportsReady()).isEqualTo(ATTEMPTS);
        assertThat(attempts.live()).isEmpty();
        assertThat(lifecycle.snapshot().activeObservationPermits()).isZero();
        new LeakCheck().watch(lifecycle.openHandles()).close();
    }

    /** One attempt under random calls. */
    private final class Life {
        private final Random random;
        private final AttemptOwner owner;
        private final CompletionFactory factory;
        private final AttemptHandle handle;
        private final List<AttemptReport> shown = new ArrayList<>();
        private final List<SealedObservation> delivered = new ArrayList<>();
        private final List<AttemptCompletion> receivers = new ArrayList<>();
        private @Nullable AttemptAdmission admission;
        private @Nullable Outcome firstOutcome;

        private Life(Random random) {
            this.random = random;
            var deadline = new Deadline(clock, clock.nanos() + 1 + random.nextInt(40));
            var begin = attempts.begin(BeginAttempt.standard().withDeadline(deadline));
            owner = begin.owner();
            factory = begin.completion();
            handle = owner.handle();
            owner.registerReportSink(shown::add);
            owner.admissionBinding().registerSealObserver(delivered::add);
        }

        private void live(int calls) {
            for (var i = 0; i < calls; i++) {
                call();
                observeOutcome();
            }
            rest();
        }

        private void call() {
            try {
                switch (random.nextInt(24)) {
                    case 0 -> handle.recordPlanningStarted();
                    case 1 -> handle.recordPlanningFinished();
                    case 2, 3 -> handle.recordDisposition(pick(Disposition.values()));
                    case 4, 5 -> admission = owner.admissionBinding().claim();
                    case 6, 7 -> admit();
                    case 8 -> handle.recordPhysicalExecutionStarted();
                    case 9 -> handle.recordDeviceExecutionStarted();
                    case 10 -> handle.recordFetchStarted();
                    case 11 -> handle.recordResult(random.nextInt(100), random.nextBoolean());
                    case 12 -> handle.recordNativeFailure(error());
                    case 13 -> handle.recordCleanupFailure(pick(CleanupPhase.values()), error());
                    case 14 -> owner.cancellation().cancel();
                    case 15 -> owner.commitTerminal(pick(outcomes()));
                    case 16 -> owner.commitQueryError(error());
                    case 17 -> owner.admissionRejection().reject(error());
                    case 18 -> bind();
                    case 19 -> finish();
                    case 20 -> receivers.add(factory.completion());
                    case 21 -> closeReceiver();
                    case 22 -> clock.advanceNanos(random.nextInt(5));
                    default -> handle.observation().recordMemory(random.nextInt(), 0);
                }
            } catch (AttemptLifecycleException refused) {
                assertThat(refused.violation()).isNotNull();
            }
        }

        private void admit() {
            if (admission != null) {
                admission.tryRecordAdmitted(new AdmissionFact(1, 0, random.nextInt(4), 1), null);
            }
        }

        private void bind() {
            if (admission != null) {
                admission.bindGrantRelease(() -> {});
            }
        }

        private void finish() {
            if (admission == null) {
                return;
            }
            if (random.nextBoolean()) {
                admission.reportPublisher().seal(pick(outcomes())).run();
            } else if (admission.isAdmitted()) {
                admission.terminalizeForRelease(pick(outcomes()));
                admission.finishAdmitted(
                        TerminalCommit.of(pick(CapacityDisposition.values()), pick(HealthTransition.values())));
            } else {
                admission.refuse(error()).run();
            }
        }

        private void closeReceiver() {
            if (!receivers.isEmpty()) {
                receivers.get(random.nextInt(receivers.size())).close();
            }
        }

        private void observeOutcome() {
            var outcome = handle.outcome();
            if (firstOutcome == null) {
                firstOutcome = outcome.orElse(null);
            } else {
                assertThat(outcome).contains(firstOutcome);
            }
        }

        private void rest() {
            owner.close();
            observeOutcome();
            if (admission != null && factory.report().isEmpty()) {
                endAdmission(admission);
            }
            var report = factory.report().orElseThrow();
            assertThat(report.outcome()).isEqualTo(firstOutcome);
            assertThat(shown).hasSize(1).first().isSameAs(report);
            assertThat(delivered).hasSize(1);
            assertThat(delivered.getFirst().footer().report()).isSameAs(report);
            assertThat(ReportJson.read(ReportJson.write(report))).isEqualTo(report);
            receivers.forEach(AttemptCompletion::close);
        }

        private void endAdmission(AttemptAdmission claimed) {
            try {
                if (claimed.isAdmitted()) {
                    claimed.finishAdmitted(AttemptFixture.RELEASED);
                } else {
                    claimed.finishNotAdmitted(Outcome.DROPPED);
                }
            } catch (AttemptLifecycleException finishedBefore) {
                assertThat(finishedBefore.reason()).isEqualTo("already_recorded");
            }
            claimed.reportPublisher().seal(Outcome.DROPPED).run();
        }

        private QueryException error() {
            return new QueryException(pick(ErrorCode.values()), "random", "injected");
        }

        private Outcome[] outcomes() {
            return new Outcome[] {
                Outcome.SUCCEEDED, Outcome.CANCELLED, Outcome.DROPPED, Outcome.PANICKED, Outcome.of(error())
            };
        }

        private <T> T pick(T[] values) {
            return values[random.nextInt(values.length)];
        }
    }
}
