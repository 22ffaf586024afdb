package dev.weighlock.query.admission;

import static dev.weighlock.query.testing.TestDevices.host;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.weighlock.query.AttemptId;
import dev.weighlock.query.Reason;
import dev.weighlock.query.device.DeviceLedger;
import dev.weighlock.query.device.Grant;
import dev.weighlock.query.device.QueryCap;
import java.util.List;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Model checking of a queued request in the shipped service: grant, timeout, cancel and close compete for its outcome. */
class AdmissionLincheckTest {
    private static final long DEADLINE = 10;

    @Test
    void grantTimeoutCancelAndClose_underEveryInterleaving_giveOneLegalOutcome() {
        options(2, 25).check(Shipped.class);
    }

    @Test
    @Tag("long")
    void grantTimeoutCancelAndClose_underManyMoreInterleavings_giveOneLegalOutcome() {
        options(60, 2_000).actorsPerThread(3).check(Shipped.class);
    }

    @Test
    void grantThatIsLostToACancel_andNotGivenBack_isCaught() {
        assertThatExceptionOfType(LincheckAssertionError.class)
                .isThrownBy(() -> options(10, 10).check(KeepsTheLoser.class));
    }

    private static ModelCheckingOptions options(int scenarios, int interleavings) {
        return new ModelCheckingOptions()
                .threads(2)
                .actorsBefore(0)
                .actorsAfter(0)
                .actorsPerThread(2)
                .iterations(scenarios)
                .invocationsPerIteration(interleavings)
                .minimizeFailedScenario(false)
                .sequentialSpecification(OneThread.class);
    }

    /** What the operations must look like from outside. */
    public static final class OneThread {
        private String outcome = "waits";

        public OneThread() {}

        public void release() {
            decide("granted");
        }

        public boolean cancel() {
            return decide("cancelled");
        }

        public void expire() {
            decide("expired");
        }

        public void close() {
            decide("closing");
        }

        public String look() {
            return outcome;
        }

        private boolean decide(String by) {
            if (!outcome.equals("waits")) {
                return false;
            }
            outcome = by;
            return true;
        }
    }

    /** A service with one running grant and one request that waits for it. */
    public static class Shipped {
        private volatile long now;
        final DeviceLedger ledger = new DeviceLedger(host(0, 100, 4).resolve(), () -> 0);
        final AdmissionService service = AdmissionService.untimed(AdmissionConfig.DEFAULT, List.of(ledger), () -> now);
        private final Grant blocker = ((AdmissionOutcome.Admitted) service.request(request(1))).grant();
        final AdmissionTicket ticket =
                (AdmissionTicket) service.request(request(2).withDeadline(DEADLINE));

        public Shipped() {}

        private static AdmissionRequest request(long attempt) {
            return AdmissionRequest.of(new AttemptId(1, attempt), QueryCap.of(100));
        }

        /** Once: a second call returns while the first still hands over. */
        @Operation(runOnce = true)
        public void release() {
            blocker.close();
        }

        @Operation
        public boolean cancel() {
            return ticket.cancel();
        }

        @Operation
        public void expire() {
            now = DEADLINE;
            service.expireDue();
        }

        @Operation
        public void close() {
            service.close();
        }

        @Operation
        public String look() {
            return ticket.outcome().map(Shipped::name).orElse("waits");
        }

        private static String name(AdmissionOutcome outcome) {
            if (!(outcome instanceof AdmissionOutcome.Refused(var error))) {
                return "granted";
            }
            return error.facts().has(Reason.CALLER_CANCELLED)
                    ? "cancelled"
                    : error.facts().has(Reason.DEADLINE_EXPIRED) ? "expired" : "closing";
        }

        /** Every byte is where the outcome says, whoever lost the race. */
        @Validate
        public void nothingIsLost() {
            blocker.close();
            long held = look().equals("granted") ? 100 : 0;
            if (ledger.snapshot().liveGrantBytes() != held) {
                throw new IllegalStateException(
                        look() + ", yet " + ledger.snapshot().liveGrantBytes() + " are live");
            }
        }
    }

    /** Planted: a canceller that keeps what the winner was given. */
    public static final class KeepsTheLoser extends Shipped {
        public KeepsTheLoser() {}

        @Override
        @Operation
        public boolean cancel() {
            boolean won = super.cancel();
            if (won) {
                // As if a grant that came second had not been closed.
                var _ = ledger.tryAdmit(dev.weighlock.query.testing.TestDevices.request(100));
            }
            return won;
        }
    }
}
