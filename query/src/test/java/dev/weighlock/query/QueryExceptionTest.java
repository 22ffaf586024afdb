package dev.weighlock.query;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class QueryExceptionTest {
    @Test
    void exception_withFacts_keepsTheirOrderAndNamesThem() {
        Facts facts = Facts.of(Reason.LEDGER_MUTEX_POISONED).with(FactKey.ACTION, "try_admit");

        QueryException failure = new QueryException(ErrorCode.INTERNAL, "ledger", "poisoned", facts);

        assertThat(failure).hasMessage("INTERNAL in ledger: poisoned (reason=ledger_mutex_poisoned, action=try_admit)");
        assertThat(failure.status()).isEqualTo(ErrorStatus.PERMANENT);
        assertThat(failure.facts().has(Reason.LEDGER_MUTEX_POISONED)).isTrue();
        assertThat(failure.facts().value(FactKey.GRANT_ID)).isEmpty();
    }

    @Test
    void reportableReasons_areTheClosedListOfTheReport() {
        assertThat(Arrays.stream(Reason.values()).filter(Reason::reportable).map(Reason::value))
                .containsExactly(
                        "backend_closing",
                        "deadline_expired",
                        "caller_cancelled",
                        "admission_queue_full",
                        "queue_wait_elapsed",
                        "query_cap_exceeds_capacity",
                        "residents",
                        "backend_unhealthy",
                        "temp_space",
                        "result_allowance",
                        "would_wait_on_itself");
    }

    @Test
    void attemptIds_minted_differAndSortByNumber() {
        AttemptId first = AttemptId.mint();
        AttemptId second = AttemptId.mint();

        assertThat(first).isNotEqualTo(second).isLessThan(second);
        assertThat(second.process()).isEqualTo(first.process());
    }
}
