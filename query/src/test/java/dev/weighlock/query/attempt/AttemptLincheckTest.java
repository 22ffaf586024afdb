package dev.weighlock.query.attempt;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weighlock.query.AttemptId;
import dev.weighlock.query.MonotonicClock;
import dev.weighlock.query.lifecycle.BackendLifecycle;
import dev.weighlock.query.report.AttemptReport;
import dev.weighlock.query.report.Disposition;
import dev.weighlock.query.report.Outcome;
import java.util.function.Consumer;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.junit.jupiter.api.Test;

/** Every interleaving of a few calls gives what some order of whole calls would give. */
class AttemptLincheckTest {
    private static final AttemptReport REPORT = report();

    @Test
    void finalizer_anyInterleaving_leavesItsSlotOnce() {
        // Each invocation builds a whole attempt, so fewer of them do.
        options().iterations(4).invocationsPerIteration(60).check(Slot.class);
    }

    @Test
    void publicationAndReceivers_anyInterleaving_areLinearizable() {
        options().check(Receivers.class);
    }

    @Test
    void visibilityBeforeTheSinks_isCaught() {
        assertThatThrownBy(() -> options().check(HastyReceivers.class)).isInstanceOf(AssertionError.class);
    }

    static ModelCheckingOptions options() {
        return new ModelCheckingOptions()
                .iterations(8)
                .invocationsPerIteration(200)
                .threads(2)
                .actorsPerThread(3)
                .actorsBefore(0)
                .actorsAfter(1)
                .minimizeFailedScenario(false);
    }

    private static AttemptReport report() {
        var attempt = new AttemptFixture();
        attempt.owner.commitTerminal(Outcome.SUCCEEDED);
        return attempt.report();
    }

    /** The slot of an attempt that may be claimed. */
    public static class Slot {
        private final AttemptCore core = core();

        @Operation
        public boolean claim() {
            try {
                core.slot().claim();
                return true;
            } catch (AttemptLifecycleException refused) {
                return false;
            }
        }

        @Operation
        public boolean take() {
            return core.slot().tryTake().isPresent();
        }

        private static AttemptCore core() {
            var lifecycle = new BackendLifecycle(MonotonicClock.SYSTEM);
            var core = new AttemptCore(
                    new AttemptId(1, 1),
                    BeginAttempt.standard(),
                    AttemptEnvironment.of(lifecycle, MonotonicClock.SYSTEM, "scripted")
                            .withWall(null),
                    new AttemptCounters(),
                    lifecycle.beginObservation("first"),
                    () -> {});
            core.change(held -> held.disposition(Disposition.NATIVE));
            return core;
        }
    }

    /** A publication with one receiver and one sink. */
    public static class Receivers {
        private final Publication publication;
        private volatile boolean shown;

        public Receivers() {
            this(new Publication());
        }

        Receivers(Publication publication) {
            this.publication = publication;
            publication.openReceiver();
            publication.registerSink(report -> shown = true);
        }

        @Operation(runOnce = true)
        public boolean publish() {
            return publication.publish(() -> REPORT, () -> {}).abandoned();
        }

        @Operation(runOnce = true)
        public void closeReceiver() {
            publication.closeReceiver();
        }

        @Operation
        public void openReceiver() {
            publication.openReceiver();
        }

        @Operation
        public boolean poll() {
            return publication.poll().isPresent();
        }

        /** Whether a receiver could read the report that the sink has not been shown. */
        @Operation
        public boolean visibleUnshown() {
            return publication.poll().isPresent() && !shown;
        }
    }

    /** The planted fault. */
    public static class HastyReceivers extends Receivers {
        public HastyReceivers() {
            super(new HastyPublication());
        }
    }

    private static final class HastyPublication extends Publication {
        @Override
        Published show(AttemptReport ready, Runnable counted) {
            Published published;
            lock().lock();
            try {
                published = makeVisible(ready, counted);
            } finally {
                lock().unlock();
            }
            for (Consumer<AttemptReport> sink : takeSinks()) {
                show(sink, ready);
            }
            return published;
        }
    }
}
