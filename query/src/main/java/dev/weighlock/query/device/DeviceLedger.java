package dev.weighlock.query.device;

import dev.weighlock.query.ErrorCode;
import dev.weighlock.query.FactKey;
import dev.weighlock.query.Facts;
import dev.weighlock.query.MonotonicClock;
import dev.weighlock.query.QueryException;
import dev.weighlock.query.Reason;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The books of one device: {@code R + sum of G <= Q}, {@code C <= K}, {@code active <= max}. Any thread.
 *
 * <p>One lock guards {@link LedgerBooks} and every {@link GrantEntry}. Under it the ledger decides, records and calls
 * transition observers; admission observers and release hooks run after it, when the thread holds no ledger at all. Each
 * grant keeps its ledger alive.
 */
public final class DeviceLedger {
    static final String OPERATION = "ledger";

    private static final Logger LOG = LoggerFactory.getLogger(DeviceLedger.class);

    private final DeviceProfile profile;
    private final MonotonicClock clock;
    private final LedgerGuard guard;
    private final LedgerBooks books;
    private final ReferenceQueue<GrantRoot> leaks = new ReferenceQueue<>();
    private final CacheShare cache = new CacheShare(this);
    private final ObserverList.OfTransitions transitionObservers = new ObserverList.OfTransitions();
    private final ObserverList.OfAdmission admissionObservers = new ObserverList.OfAdmission();

    public DeviceLedger(DeviceProfile profile, MonotonicClock clock) {
        this(profile, clock, 1);
    }

    DeviceLedger(DeviceProfile profile, MonotonicClock clock, long firstGeneration) {
        this.profile = profile;
        this.clock = clock;
        this.guard = new LedgerGuard(profile.deviceOrdinal(), this::tellPoisoned);
        this.books = new LedgerBooks(profile, firstGeneration);
    }

    public DeviceProfile profile() {
        return profile;
    }

    public int deviceOrdinal() {
        return profile.deviceOrdinal();
    }

    /** The charges of the cache share. */
    public CacheShare cache() {
        return cache;
    }

    /** Adds an observer that runs inside the lock. */
    public void observeTransitions(TransitionObserver observer) {
        transitionObservers.add(observer);
    }

    /** Adds an observer that runs after the lock, for releases, closes and frozen publishes. */
    public void observeAdmission(AdmissionObserver observer) {
        admissionObservers.add(observer);
    }

    public LedgerSnapshot snapshot() {
        return guard.decide("snapshot", books::snapshot);
    }

    public LedgerReport report() {
        return guard.decide("report", () -> {
            markLeaks();
            return new LedgerReport(books.snapshot(), books.rows());
        });
    }

    /** What is still to be released, where releasing is all that a ledger does any more. */
    List<GrantRow> rowsAlsoOfAPoisonedLedger() {
        return guard.release("held_grants", () -> {
            markLeaks();
            return books.rows();
        });
    }

    public DeviceHealth health() {
        return guard.decide("health", books::health);
    }

    /** Whether the cap fits beside the residents of this moment, active attempts left aside. */
    public boolean canEverFit(QueryCap cap) {
        return snapshot().canEverFit(cap);
    }

    /**
     * Checks and books one grant in one lock hold.
     *
     * @return empty when the device is closed or slots or room are missing: wait for an admission observer
     * @throws QueryException {@code INVALID_PLAN} for an explicit cap of zero, {@code INTERNAL} for a poisoned or
     *     re-entered ledger
     */
    public Optional<Grant> tryAdmit(GrantRequest request) {
        return tryAdmit(request, clock.nanos());
    }

    /**
     * As {@link #tryAdmit(GrantRequest)}, for a caller that has just read the clock.
     *
     * @param heldSinceNanos on the ledger's clock
     */
    public Optional<Grant> tryAdmit(GrantRequest request, long heldSinceNanos) {
        refuseZeroCap(request);
        guard.enter("try_admit");
        try {
            guard.refusePoisoned("try_admit");
            return Optional.ofNullable(admit(request, heldSinceNanos));
        } catch (QueryException refusal) {
            throw refusal;
        } catch (Throwable fault) {
            // Whoever admits may hold a lock that observers take, and gets the fault itself.
            guard.poisonUntold();
            throw fault;
        } finally {
            guard.exit();
        }
    }

    /** Closes admission for a fault confined to this device, replacing an earlier reason; returns the closure's number. */
    public long closeAdmission(String reason) {
        return close(reason, FaultIsolation.DEVICE_LOCAL);
    }

    /** Closes admission because nobody can say how far a fault reaches; returns the closure's number. */
    public long closeAdmissionForUnknownIsolation(String reason) {
        return close(reason, FaultIsolation.UNKNOWN);
    }

    /** Closes admission unless it is closed already; true when this call did. */
    public boolean closeAdmissionIfOpen(String reason) {
        LedgerTransition transition = guard.decide("close_admission_if_open", () -> {
            if (!books.health().isOpen()) {
                return null;
            }
            books.close(reason, FaultIsolation.DEVICE_LOCAL);
            return commit(TransitionKind.ADMISSION_CLOSED);
        });
        if (transition == null) {
            return false;
        }
        announce(transition);
        return true;
    }

    private long close(String reason, FaultIsolation isolation) {
        LedgerTransition transition = guard.decide("close_admission", () -> {
            books.close(reason, isolation);
            return commit(TransitionKind.ADMISSION_CLOSED);
        });
        announce(transition);
        return transition.snapshot().health() instanceof DeviceHealth.Closed closed ? closed.generation() : 0;
    }

    private @Nullable Grant admit(GrantRequest request, long now) {
        long bytes = books.admissibleBytes(request.cap());
        return bytes == 0 ? null : book(request, bytes, now);
    }

    /** Books a grant whose room was checked under the same hold of the lock. */
    Grant book(GrantRequest request, long bytes, long now) {
        GrantRoot root = new GrantRoot(this, leaks, request, books.takeGeneration(request), bytes, now);
        books.admit(root.entry());
        commit(TransitionKind.GRANT_ADMITTED);
        return Grant.first(root);
    }

    private static void refuseZeroCap(GrantRequest request) {
        if (request.cap() instanceof QueryCap.Explicit(long bytes) && bytes == 0) {
            throw new QueryException(
                    ErrorCode.INVALID_PLAN,
                    OPERATION,
                    "a query cap must be greater than zero",
                    Facts.of(Reason.ZERO_QUERY_CAP).with(FactKey.ADMISSION_REQUEST_ID, request.id()));
        }
    }

    /** Returns a grant's bytes; an entry that has left before is ignored. */
    void release(GrantEntry entry, HeldLedgers held) {
        LedgerTransition transition;
        try {
            transition = remove(entry, held);
        } catch (Throwable fault) {
            // The entry has left all the same: whoever counts grants must know, then those who wait.
            held.afterLocks(() -> {
                runHookUnlessFrozen(entry);
                tellPoisoned();
            });
            throw fault;
        }
        if (transition == null) {
            return;
        }
        if (held.highest() == HeldLedgers.NONE) {
            tellReleased(entry, transition);
        } else {
            held.afterLocks(() -> tellReleased(entry, transition));
        }
    }

    private @Nullable LedgerTransition remove(GrantEntry entry, HeldLedgers held) {
        guard.enter(held);
        try {
            if (!books.remove(entry)) {
                return null;
            }
            entry.clear();
            return commit(TransitionKind.GRANT_RELEASED);
        } catch (Throwable fault) {
            guard.poisonUntold();
            throw fault;
        } finally {
            guard.exit();
        }
    }

    /** A poisoned ledger admits nothing any more, which those who wait for it hear of like a close. */
    private void tellPoisoned() {
        LedgerSnapshot snapshot = guard.release("tell_poisoned", books::snapshot);
        admissionObservers.deliver(new LedgerTransition(TransitionKind.ADMISSION_CLOSED, snapshot));
    }

    private void tellReleased(GrantEntry entry, LedgerTransition transition) {
        runHookUnlessFrozen(entry);
        admissionObservers.deliver(transition);
    }

    /** The publish of a freeze is told as soon as this thread holds no ledger: the grant counts as running no more. */
    void tellFrozen(GrantEntry entry, LedgerTransition transition) {
        HeldLedgers.current().afterLocks(() -> {
            runHook(entry.request);
            admissionObservers.deliver(transition);
        });
    }

    /** The hook of a frozen grant ran when the freeze was published. */
    private static void runHookUnlessFrozen(GrantEntry entry) {
        if (entry.frozen == null) {
            runHook(entry.request);
        }
    }

    private static void runHook(GrantRequest request) {
        try {
            request.onReleased().run();
        } catch (Throwable fault) {
            LOG.warn("The release hook of admission request {} failed; its bytes are returned", request.id(), fault);
        }
    }

    /**
     * Refuses to go on inside any ledger's transition observer: what takes its own lock before a ledger's must not be
     * called while a ledger is held.
     */
    public static void refuseInsideObserver(String action) {
        if (HeldLedgers.current().highest() != HeldLedgers.NONE) {
            throw new QueryException(
                    ErrorCode.INTERNAL,
                    OPERATION,
                    "a ledger's transition observer called something that takes a lock before the ledger's",
                    Facts.of(Reason.LEDGER_OBSERVER_REENTRANCY).with(FactKey.ACTION, action));
        }
    }

    /** Delivers to admission observers as soon as this thread holds no ledger. */
    void announce(LedgerTransition transition) {
        if (!admissionObservers.isEmpty()) {
            HeldLedgers.current().afterLocks(() -> admissionObservers.deliver(transition));
        }
    }

    /** Ends a mutation; only under the lock. */
    LedgerTransition commit(TransitionKind kind) {
        assert guard.isHeldByCurrentThread() : "a mutation outside the ledger's lock";
        LedgerTransition transition = books.transition(kind);
        assert books.balanced() : "the books of device " + deviceOrdinal() + " do not add up after " + kind;
        if (!transitionObservers.isEmpty()) {
            HeldLedgers held = guard.holder();
            int outer = held.enter(deviceOrdinal());
            try {
                transitionObservers.deliver(transition);
            } finally {
                held.leave(outer);
            }
        }
        return transition;
    }

    LedgerBooks books() {
        return books;
    }

    LedgerGuard guard() {
        return guard;
    }

    MonotonicClock clock() {
        return clock;
    }

    ObserverList<TransitionObserver> transitionObservers() {
        return transitionObservers;
    }

    ObserverList<AdmissionObserver> admissionObservers() {
        return admissionObservers;
    }

    <T extends @Nullable Object> T decide(String action, Supplier<T> body) {
        return guard.decide(action, body);
    }

    private void markLeaks() {
        for (Reference<? extends GrantRoot> found = leaks.poll(); found != null; found = leaks.poll()) {
            ((GrantEntry) found).leaked = true;
        }
    }
}
