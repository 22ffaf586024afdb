package dev.weighlock.query.attempt;

import dev.weighlock.query.AttemptId;
import dev.weighlock.query.observe.ObservationHandle;
import dev.weighlock.query.observe.SealedObservation;
import java.util.function.Consumer;

/** What a request for admission carries of its attempt: one claim, and observation. Any thread; nothing to close. */
public final class AdmissionBinding {
    private final AttemptCore core;

    AdmissionBinding(AttemptCore core) {
        this.core = core;
    }

    public AttemptId attemptId() {
        return core.attemptId();
    }

    public Cancellation cancellation() {
        return core.cancellation();
    }

    public ObservationHandle observation() {
        return core.observation().handle();
    }

    /** Has {@code observer} called with the sealed observation when the seal is delivered, with no lock held. */
    public void registerSealObserver(Consumer<SealedObservation> observer) {
        core.observation().registerSealObserver(observer);
    }

    /**
     * Takes the attempt's one right to admission. Call it before any queue or ledger is touched.
     *
     * @throws AttemptLifecycleException {@code ADMISSION_ALREADY_CLAIMED} when the right is used up, {@code INVALID_ORDER}
     *     when the attempt is planning, has no disposition, or is over; nothing has changed then
     */
    public AttemptAdmission claim() {
        return core.slot().claim();
    }
}
