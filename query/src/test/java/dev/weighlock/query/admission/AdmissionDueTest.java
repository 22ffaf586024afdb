package dev.weighlock.query.admission;

import static dev.weighlock.query.admission.AdmissionFixture.bytes;
import static dev.weighlock.query.admission.AdmissionFixture.error;
import static dev.weighlock.query.testing.TestDevices.ledger;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weighlock.query.Reason;
import dev.weighlock.query.device.Grant;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The second request waits and the second grant is cleaned up, both until the same moment. */
class AdmissionDueTest {
    private static final Duration LIMIT = AdmissionConfig.DEFAULT.cleaningLimit();

    private final AdmissionFixture admission = new AdmissionFixture(ledger(0, 100, 8));
    private final Grant first = admission.admitted(50);
    private final AdmissionTicket waiting =
            admission.waiting(bytes(90).withDeadline(admission.clock.nanos() + LIMIT.toNanos()));
    private final Grant cleaned = admission.admitted(10);
    private int overdue;

    @AfterEach
    void end() {
        cleaned.close();
        waiting.giveUp();
        first.close();
    }

    @Test
    void waitAndCleaning_dueAtTheSameMoment_bothEnd() {
        admission.service.beginCleaning(cleaned, "slow", () -> overdue++);

        admission.clock.advance(LIMIT);
        admission.service.expireDue();

        assertThat(error(waiting).facts().has(Reason.DEADLINE_EXPIRED)).isTrue();
        assertThat(overdue).isEqualTo(1);
    }

    @Test
    void wait_dueWithACleaningThatEndsBefore_keepsItsLimit() {
        admission.service.beginCleaning(cleaned, "slow", () -> overdue++);
        cleaned.close();

        admission.clock.advance(LIMIT);
        admission.service.expireDue();

        assertThat(error(waiting).facts().has(Reason.DEADLINE_EXPIRED)).isTrue();
        assertThat(overdue).isZero();
    }

    @Test
    void cleaning_dueWithAWaitThatIsCancelled_isReported() {
        admission.service.beginCleaning(cleaned, "slow", () -> overdue++);
        waiting.cancel();

        admission.clock.advance(LIMIT);
        admission.service.expireDue();

        assertThat(overdue).isEqualTo(1);
    }
}
