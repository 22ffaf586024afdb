package dev.weighlock.query.device;

import static dev.weighlock.query.testing.TestDevices.ledger;
import static dev.weighlock.query.testing.TestDevices.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.weighlock.query.ErrorCode;
import dev.weighlock.query.QueryException;
import dev.weighlock.query.testing.ScriptedStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class FenceTest {
    private final DeviceLedger ledger = ledger(0, 100, 2);
    private final Grant grant = ledger.tryAdmit(request(60)).orElseThrow();
    private final ResidentLease resident = grant.retainResident(10).orElseThrow();
    private final ScriptedStream first = new ScriptedStream("first");
    private final ScriptedStream second = new ScriptedStream("second");

    @AfterEach
    void letGo() {
        resident.close();
        grant.close();
    }

    @Test
    void frozenOwner_waitsForTheNewestFenceOfEveryStream() {
        resident.recordCompletion(first);
        resident.recordCompletion(first);
        resident.recordCompletion(second);
        grant.prepareFreeze(10);

        resident.close();

        assertThat(first.awaited()).containsExactly("first#2");
        assertThat(second.awaited()).containsExactly("second#1");
        assertThat(ledger.health().isOpen()).isTrue();
    }

    @Test
    void ownerThatIsNotFrozen_waitsForNothing() {
        resident.recordCompletion(first);

        resident.close();

        assertThat(first.awaited()).isEmpty();
    }

    @Test
    void frozenOwner_withoutAFence_closesTheDevice() {
        grant.prepareFreeze(10);

        resident.close();

        assertClosed("without a completion fence");
        assertThat(grant.residentOwnerBytes()).isZero();
    }

    @Test
    void failedFence_closesTheDevice_afterAllWereAwaited() {
        resident.recordCompletion(first.failAwaiting());
        resident.recordCompletion(second);
        grant.prepareFreeze(10);

        resident.close();

        assertClosed("fence of a frozen resident failed");
        assertThat(second.awaited()).containsExactly("second#1");
    }

    @Test
    void frozenOwner_onAnUnhealthyDevice_waitsToo() {
        resident.recordCompletion(first);
        grant.prepareFreeze(10);
        ledger.closeAdmission("fault");

        resident.close();

        assertThat(first.awaited()).containsExactly("first#1");
        assertClosed("fault");
    }

    @Test
    void readersClose_recordsItsStream() {
        resident.recordCompletion(first);
        ResidentLease reader = resident.forReader(second);
        grant.prepareFreeze(10);
        resident.close();
        assertThat(first.awaited()).isEmpty();

        reader.close();
        assertThat(second.awaited()).containsExactly("second#1");
    }

    @Test
    void failedReaderRecord_closesTheDeviceAtTheLastClose() {
        resident.recordCompletion(first);
        ResidentLease reader = resident.forReader(second.failRecording());
        grant.prepareFreeze(10);

        reader.close();
        assertThat(ledger.health().isOpen()).isTrue();
        resident.close();

        assertClosed("reader could not be recorded");
        assertThat(first.awaited()).containsExactly("first#1");
    }

    @Test
    void record_thatFails_isAnErrorAndNoPoison() {
        assertThatExceptionOfType(QueryException.class)
                .isThrownBy(() -> resident.recordCompletion(second.failRecording()))
                .matches(failure -> failure.code() == ErrorCode.INVARIANT_VIOLATION
                        && failure.operation().equals("resident_lease.fence"));
        resident.recordCompletion(first);
        grant.prepareFreeze(10);

        resident.close();
        assertThat(ledger.health().isOpen()).isTrue();
    }

    @Test
    void record_thatDies_poisonsTheFencesAndClosesTheDevice() {
        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(() -> resident.recordCompletion(second.dieRecording()));
        assertThatExceptionOfType(QueryException.class).isThrownBy(() -> resident.recordCompletion(first));
        grant.prepareFreeze(10);

        resident.close();

        assertClosed("poisoned");
    }

    private void assertClosed(String reason) {
        assertThat(ledger.health())
                .isInstanceOfSatisfying(
                        DeviceHealth.Closed.class,
                        closed -> assertThat(closed.reason()).contains(reason));
    }
}
