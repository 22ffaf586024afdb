package dev.weighlock.query.device;

import static dev.weighlock.query.testing.TestDevices.host;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.weighlock.query.AdmissionRequestId;
import dev.weighlock.query.AttemptId;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.ThreadIdGen;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Model checking of the shipped ledger, and of copies with a planted fault that the check has to find. */
class LedgerLincheckTest {
    private static final int THREADS = 2;
    private static final int SLOTS = 8;
    private static final int SHARE = 4;
    private static final AttemptId ATTEMPT = new AttemptId(1, 1);

    @Test
    void ledger_underEveryInterleaving_actsLikeOneThread() {
        options(4, 200).check(Shipped.class);
    }

    @Test
    @Tag("long")
    void ledger_underManyMoreInterleavings_actsLikeOneThread() {
        options(40, 2_000).actorsPerThread(4).check(Shipped.class);
    }

    @Test
    void ledgerThatForgetsToGiveBack_isCaught() {
        assertThatExceptionOfType(LincheckAssertionError.class)
                .isThrownBy(() -> options(10, 100).check(Forgetful.class));
    }

    @Test
    void ledgerThatChecksAndCommitsInTwoLockHolds_isCaught() {
        assertThatExceptionOfType(LincheckAssertionError.class)
                .isThrownBy(() -> options(20, 300).check(CheckThenAct.class));
    }

    private static ModelCheckingOptions options(int scenarios, int interleavings) {
        return new ModelCheckingOptions()
                .threads(THREADS)
                .actorsBefore(0)
                .actorsAfter(0)
                .actorsPerThread(3)
                .iterations(scenarios)
                .invocationsPerIteration(interleavings)
                .minimizeFailedScenario(false)
                .sequentialSpecification(OneThread.class);
    }

    /** What the operations must look like from outside. */
    public static final class OneThread {
        private final int[] held = new int[SLOTS];
        private int live;
        private int sequence;
        private boolean closed;

        public OneThread() {}

        public boolean admit(int thread, int bytes) {
            if (held[thread] != 0 || closed || live + bytes > SHARE) {
                return false;
            }
            held[thread] = bytes;
            live += bytes;
            sequence++;
            return true;
        }

        public boolean release(int thread) {
            if (held[thread] == 0) {
                return false;
            }
            live -= held[thread];
            held[thread] = 0;
            sequence++;
            return true;
        }

        public String look() {
            return live + " live at " + sequence;
        }

        public boolean closeIfOpen() {
            if (closed) {
                return false;
            }
            closed = true;
            sequence++;
            return true;
        }
    }

    /** The ledger that ships; each thread keeps what it was granted. */
    @Param(name = "thread", gen = ThreadIdGen.class)
    @Param(name = "bytes", gen = IntGen.class, conf = "1:3")
    public static class Shipped {
        final DeviceLedger ledger =
                new DeviceLedger(host(0, SHARE, 8).defaultQueryLimit(1).resolve(), () -> 0);
        final @Nullable Grant[] held = new Grant[SLOTS];

        public Shipped() {}

        @Operation
        public boolean admit(@Param(name = "thread") int thread, @Param(name = "bytes") int bytes) {
            if (held[thread] != null) {
                return false;
            }
            held[thread] = tryAdmit(bytes);
            return held[thread] != null;
        }

        @Nullable
        Grant tryAdmit(int bytes) {
            return ledger.tryAdmit(new GrantRequest(new AdmissionRequestId(1), ATTEMPT, QueryCap.of(bytes)))
                    .orElse(null);
        }

        @Operation
        public boolean release(@Param(name = "thread") int thread) {
            Grant grant = held[thread];
            if (grant == null) {
                return false;
            }
            held[thread] = null;
            giveBack(grant);
            return true;
        }

        void giveBack(Grant grant) {
            grant.close();
        }

        @Operation
        public String look() {
            LedgerSnapshot snapshot = ledger.snapshot();
            return snapshot.liveGrantBytes() + " live at " + snapshot.sequence();
        }

        @Operation
        public boolean closeIfOpen() {
            return ledger.closeAdmissionIfOpen("test");
        }
    }

    /** Planted: a release that returns nothing. */
    public static final class Forgetful extends Shipped {
        public Forgetful() {}

        @Override
        void giveBack(Grant grant) {}
    }

    /** Planted: the room is looked up in one lock hold and taken in the next. */
    public static final class CheckThenAct extends Shipped {
        public CheckThenAct() {}

        @Override
        @Nullable
        Grant tryAdmit(int bytes) {
            GrantRequest request = new GrantRequest(new AdmissionRequestId(1), ATTEMPT, QueryCap.of(bytes));
            if (ledger.decide("check", () -> ledger.books().admissibleBytes(request.cap())) == 0) {
                return null;
            }
            return ledger.decide("act", () -> ledger.book(request, bytes, 0));
        }
    }
}
