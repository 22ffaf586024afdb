package dev.weighlock.query.admission;

import static dev.weighlock.query.admission.AdmissionFixture.bytes;
import static dev.weighlock.query.admission.AdmissionFixture.grant;
import static dev.weighlock.query.testing.TestDevices.ledger;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weighlock.query.QueryException;
import dev.weighlock.query.Reason;
import dev.weighlock.query.device.DeviceLedger;
import dev.weighlock.query.device.Grant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A ledger's transition observer holds the ledger, which comes after the service's mutex. */
class AdmissionReentryTest {
    private final DeviceLedger watched = ledger(0, 50, 8);
    private final AdmissionFixture admission = new AdmissionFixture(watched, ledger(1, 100, 8));
    private final Grant running = admission.admitted(100);
    private final AdmissionTicket waiting = admission.waiting(90);

    /** Whatever takes the mutex. */
    static Stream<Named<Consumer<AdmissionReentryTest>>> calls() {
        return Stream.of(
                Named.of("request", test -> test.admission.service.request(bytes(1))),
                Named.of("cancel", test -> test.waiting.cancel()),
                Named.of("give up", test -> test.waiting.giveUp()),
                Named.of("wait reason", test -> test.waiting.waitReason()),
                Named.of("snapshot", test -> test.admission.service.snapshot()),
                Named.of("cleaning", test -> test.admission.service.beginCleaning(test.running, "slow", () -> {})),
                Named.of("expire", test -> test.admission.service.expireDue()),
                Named.of("close", test -> test.admission.service.close()));
    }

    @ParameterizedTest
    @MethodSource("calls")
    void call_insideALedgersObserver_isRefusedAndChangesNothing(Consumer<AdmissionReentryTest> call) {
        List<QueryException> refusals = new ArrayList<>();
        watched.observeTransitions(_ -> {
            try {
                call.accept(this);
            } catch (QueryException refusal) {
                refusals.add(refusal);
            }
        });

        admission.admitted(10).close();

        assertThat(refusals)
                .hasSize(2)
                .allSatisfy(refusal -> assertThat(refusal.facts().has(Reason.LEDGER_OBSERVER_REENTRANCY))
                        .isTrue());
        assertThat(waiting.outcome()).isEmpty();
        running.close();
        assertThat(waiting.stage().toCompletableFuture())
                .isCompletedWithValue(waiting.outcome().orElseThrow());
        grant(waiting).close();
    }
}
