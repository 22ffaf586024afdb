package dev.weighlock.query.admission;

import static dev.weighlock.query.admission.AdmissionFixture.bytes;
import static dev.weighlock.query.admission.AdmissionFixture.grant;
import static dev.weighlock.query.testing.TestDevices.ledger;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.weighlock.query.Deadline;
import dev.weighlock.query.MonotonicClock;
import dev.weighlock.query.Reason;
import dev.weighlock.query.device.Grant;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The service's own thread, on the machine's clock. */
@Timeout(300)
class AdmissionTimerTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final AdmissionConfig CONFIG =
            AdmissionConfig.DEFAULT.withMaxWait(Duration.ofMillis(1)).withCleaningLimit(Duration.ofMillis(200));

    private final CompletableFuture<Thread> timer = new CompletableFuture<>();

    @Test
    void cleaning_thatBeginsAfterTheClose_isReportedWhenOverdue() throws Exception {
        AdmissionService service = service(System::nanoTime);
        Grant running = grant(service.request(bytes(100)));

        service.close();
        service.beginCleaning(running, "the engine is deaf", () -> timer.complete(Thread.currentThread()));

        assertThat(timer).succeedsWithin(PATIENCE);
        running.close();
        timer.get().join();
    }

    @Test
    void waits_afterAFaultOnTheThread_endAllTheSame() throws Exception {
        MonotonicClock faulty = () -> {
            if (Thread.currentThread().getName().equals("weighlock-admission-timer")
                    && timer.complete(Thread.currentThread())) {
                throw new IllegalStateException("the clock failed once");
            }
            return System.nanoTime();
        };
        AdmissionService service = service(faulty);
        Grant running = grant(service.request(bytes(100)));
        AdmissionTicket waiting = (AdmissionTicket) service.request(bytes(100));

        assertThat(waiting.await(Deadline.after(System::nanoTime, PATIENCE)))
                .containsInstanceOf(AdmissionOutcome.Refused.class)
                .map(AdmissionFixture::error)
                .hasValueSatisfying(error ->
                        assertThat(error.facts().has(Reason.QUEUE_WAIT_ELAPSED)).isTrue());
        running.close();
        service.close();
        timer.get().join();
    }

    @Test
    void wait_thatEndsBeforeAFaultOfTheSameRound_isTold() {
        AtomicInteger goodReads = new AtomicInteger(Integer.MAX_VALUE);
        MonotonicClock faulty = () -> {
            if (goodReads.getAndDecrement() == 0) {
                throw new IllegalStateException("the clock failed once");
            }
            return goodReads.get() < 10 ? PATIENCE.toNanos() : 0;
        };
        AdmissionService service = AdmissionService.untimed(CONFIG, List.of(ledger(0, 100, 4)), faulty);
        Grant running = grant(service.request(bytes(100)));
        AdmissionTicket waiting = (AdmissionTicket) service.request(bytes(100));

        goodReads.set(1);
        assertThatIllegalStateException().isThrownBy(service::expireDue);

        assertThat(waiting.stage().toCompletableFuture()).isCompleted();
        running.close();
    }

    private static AdmissionService service(MonotonicClock clock) {
        return AdmissionService.start(CONFIG, List.of(ledger(0, 100, 4)), clock);
    }
}
