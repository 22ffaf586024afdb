package dev.weighlock.query.admission;

import dev.weighlock.query.AdmissionRequestId;
import dev.weighlock.query.Deadline;
import dev.weighlock.query.MonotonicClock;
import dev.weighlock.query.QueryException;
import dev.weighlock.query.device.DeviceLedger;
import dev.weighlock.query.device.Grant;
import dev.weighlock.query.device.LedgerTransition;
import dev.weighlock.query.device.QueryCap;
import dev.weighlock.query.device.TransitionKind;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Gives grants of one or several devices to requests, or lets them wait. Any thread; the owner closes it.
 *
 * <p>The mutex guards the queue, the devices' latest snapshots and the running records. Under it the service decides and
 * records, calling ledgers (mutex before ledger, never the other way round); outcomes are published, lost grants given
 * back and limits reported after it, on the thread that decided. A freed grant is handed to the chosen waiter directly;
 * the one thread of its own only ends waits that are due.
 */
public final class AdmissionService implements AutoCloseable {
    private final MonotonicClock clock;
    private final AdmissionConfig config;
    private final ReentrantLock mutex = new ReentrantLock();
    private final Condition idle = mutex.newCondition();
    private final AdmissionQueue queue;
    private final RequestCheck check;
    private final AdmissionTimer timer;
    private long lastRequest;
    private boolean closed;
    private int refusedByClosing;
    /** Lets a release skip the mutex when nobody waits; written under it. */
    private volatile boolean anybodyWaits;

    private AdmissionService(AdmissionConfig config, List<DeviceLedger> ledgers, MonotonicClock clock) {
        this.clock = clock;
        this.config = config;
        List<DeviceLedger> byOrdinal = ledgers.stream()
                .sorted(Comparator.comparingInt(DeviceLedger::deviceOrdinal))
                .toList();
        this.queue = new AdmissionQueue(config, byOrdinal, this::released);
        this.check = new RequestCheck(queue);
        this.timer = new AdmissionTimer(clock, this::expireDue);
    }

    /** A service over these devices, each ordinal once. */
    public static AdmissionService start(AdmissionConfig config, List<DeviceLedger> ledgers, MonotonicClock clock) {
        AdmissionService service = untimed(config, ledgers, clock);
        service.timer.start();
        return service;
    }

    /** A service for tests with a manual clock: waits end only when {@link #expireDue} is called. */
    public static AdmissionService untimed(AdmissionConfig config, List<DeviceLedger> ledgers, MonotonicClock clock) {
        if (ledgers.isEmpty()
                || ledgers.stream()
                                .mapToInt(DeviceLedger::deviceOrdinal)
                                .distinct()
                                .count()
                        != ledgers.size()) {
            throw new IllegalArgumentException("an admission service needs devices, each ordinal once");
        }
        AdmissionService service = new AdmissionService(config, ledgers, clock);
        ledgers.forEach(ledger -> ledger.observeAdmission(service::admissionMayChange));
        return service;
    }

    /** Admits, refuses or queues the request at once. */
    public AdmissionDecision request(AdmissionRequest request) {
        DeviceLedger.refuseInsideObserver("admission_request");
        Effects effects = new Effects();
        Waiter waiter;
        mutex.lock();
        try {
            Pool pool = queue.pool(request.pool()).orElse(null);
            if (pool == null) {
                return new AdmissionOutcome.Refused(Refusals.unknownPool(request.pool()));
            }
            waiter = waiter(request, pool);
            QueryException refusal = refusal(waiter);
            if (refusal != null) {
                return new AdmissionOutcome.Refused(refusal);
            }
            enqueue(waiter, effects);
        } finally {
            unlock(effects);
        }
        Optional<AdmissionOutcome> decided = waiter.decided();
        return decided.isPresent() ? decided.get() : new AdmissionTicket(this, waiter);
    }

    /** Requests and waits for the outcome; an interrupt cancels the request. */
    public AdmissionOutcome admit(AdmissionRequest request) throws InterruptedException {
        return switch (request(request)) {
            case AdmissionOutcome outcome -> outcome;
            case AdmissionTicket ticket -> awaitOrGiveUp(ticket);
        };
    }

    private static AdmissionOutcome awaitOrGiveUp(AdmissionTicket ticket) throws InterruptedException {
        try {
            return ticket.await();
        } catch (InterruptedException interrupt) {
            ticket.giveUp();
            throw interrupt;
        }
    }

    private Waiter waiter(AdmissionRequest request, Pool pool) {
        long now = clock.nanos();
        long limit = Math.min(nanos(config.maxWait()), nanos(pool.config().maxWait()));
        long waitUntil = now > Long.MAX_VALUE - limit ? Long.MAX_VALUE : now + limit;
        QueryCap cap = RequestCheck.effectiveCap(request, pool, queue.devices());
        return new Waiter(new AdmissionRequestId(++lastRequest), request, cap, pool, now, waitUntil);
    }

    private @Nullable QueryException refusal(Waiter waiter) {
        if (closed) {
            return Refusals.closing();
        }
        if (waiter.requestedNanos() >= waiter.request().deadlineNanos()) {
            return Refusals.deadline(waiter);
        }
        queue.devices().forEach(DeviceSlot::refresh);
        return check.refusal(waiter.request(), waiter.cap(), waiter.pool());
    }

    private void enqueue(Waiter waiter, Effects effects) {
        queue.add(waiter);
        anybodyWaits = true;
        queue.decide(waiter.requestedNanos(), effects);
        if (waiter.isWaiting() && queue.isOverLimit(waiter)) {
            queue.refuse(waiter, Refusals.queueFull(waiter.pool(), queue.limitOf(waiter)), effects);
        }
        recorded(effects);
    }

    /** Whatever was decided is told, also when a fault ended the hold. */
    private void unlock(Effects effects) {
        mutex.unlock();
        effects.run();
    }

    /** Ends every hold of the mutex that changed the queue. */
    private void recorded(Effects effects) {
        anybodyWaits = queue.queued() > 0;
        if (timer.isLate(queue.nextDueNanos())) {
            timer.sleepUntil(queue.nextDueNanos());
            effects.add(timer::wake);
        }
    }

    boolean cancel(Waiter waiter) {
        DeviceLedger.refuseInsideObserver("admission_cancel");
        if (!waiter.decide(new AdmissionOutcome.Refused(Refusals.cancelled(waiter)))) {
            return false;
        }
        Effects effects = new Effects();
        effects.add(waiter::publish);
        change(effects, () -> queue.remove(waiter));
        return true;
    }

    /**
     * Ends the waits and reports the cleanings that are due. The service's own thread calls it; with a manual clock the
     * test does.
     *
     * @return when something is due again, {@link Long#MAX_VALUE} for never
     */
    public long expireDue() {
        DeviceLedger.refuseInsideObserver("admission_expire_due");
        Effects effects = new Effects();
        long next;
        mutex.lock();
        try {
            queue.expire(clock.nanos(), effects);
            queue.decide(clock.nanos(), effects);
            anybodyWaits = queue.queued() > 0;
            next = queue.nextDueNanos();
            timer.sleepUntil(next);
        } finally {
            unlock(effects);
        }
        return next;
    }

    private void admissionMayChange(LedgerTransition transition) {
        if (anybodyWaits || transition.kind() == TransitionKind.ADMISSION_CLOSED) {
            change(new Effects(), () -> {});
        }
    }

    private void change(Effects effects, Runnable change) {
        mutex.lock();
        try {
            change.run();
            queue.decide(clock.nanos(), effects);
            recorded(effects);
        } finally {
            unlock(effects);
        }
    }

    private void released(Running grant) {
        mutex.lock();
        try {
            if (queue.released(grant, clock.nanos()) && queue.running().isEmpty()) {
                idle.signalAll();
                stopTimerOnceIdle();
            }
        } finally {
            mutex.unlock();
        }
    }

    /** A grant that is still out after a close may yet be cleaned up for too long. */
    private void stopTimerOnceIdle() {
        if (closed && queue.running().isEmpty()) {
            timer.stop();
        }
    }

    /**
     * Marks a grant as cleaning: it counts until it is closed. When that takes longer than the limit, {@code overdue}
     * runs once on the service's thread, to quarantine the instance that will not let go.
     */
    public void beginCleaning(Grant grant, String reason, Runnable overdue) {
        DeviceLedger.refuseInsideObserver("admission_begin_cleaning");
        grant.beginCleaning(reason);
        Effects effects = new Effects();
        mutex.lock();
        try {
            Running held = queue.running(grant.identity().attempt());
            if (held != null) {
                queue.watchCleaning(held, clock.nanos() + nanos(config.cleaningLimit()), overdue);
                recorded(effects);
            }
        } finally {
            unlock(effects);
        }
    }

    /** Takes everything that is being cleaned up for overdue now: nobody will wait for it any more. */
    public void giveUpCleaning() {
        DeviceLedger.refuseInsideObserver("admission_give_up_cleaning");
        Effects effects = new Effects();
        mutex.lock();
        try {
            queue.giveUpCleaning(effects);
            recorded(effects);
        } finally {
            unlock(effects);
        }
    }

    /** Everything at one moment. The queue stands still only while it is copied. */
    public AdmissionSnapshot snapshot() {
        DeviceLedger.refuseInsideObserver("admission_snapshot");
        QueueView view;
        mutex.lock();
        try {
            long now = clock.nanos();
            view = new QueueView(queue, reasons(now), now, closed, timer.wakeUps());
        } finally {
            mutex.unlock();
        }
        return view.snapshot();
    }

    private WaitReasons reasons(long nowNanos) {
        return new WaitReasons(queue, nowNanos, nanos(config.cleaningLimit()));
    }

    Optional<WaitReason> waitReason(Waiter waiter) {
        DeviceLedger.refuseInsideObserver("admission_wait_reason");
        if (!waiter.isWaiting()) {
            return Optional.empty();
        }
        WaitReasons reasons;
        mutex.lock();
        try {
            reasons = reasons(clock.nanos());
        } finally {
            mutex.unlock();
        }
        return waiter.isWaiting() ? Optional.of(reasons.of(waiter)) : Optional.empty();
    }

    /**
     * Refuses whoever waits or comes later, then waits for running grants until the deadline. May be repeated and called
     * by several threads: each is told of all that were refused, and of what was held when it stopped waiting.
     */
    public AdmissionClosure close(Deadline deadline) {
        DeviceLedger.refuseInsideObserver("admission_close");
        Effects effects = new Effects();
        int refused;
        mutex.lock();
        try {
            closed = true;
            refusedByClosing += queue.queued();
            refused = refusedByClosing;
            queue.refuseAll(effects);
            recorded(effects);
            stopTimerOnceIdle();
        } finally {
            unlock(effects);
        }
        return new AdmissionClosure(refused, awaitIdle(deadline));
    }

    private List<AdmissionClosure.Held> awaitIdle(Deadline deadline) {
        mutex.lock();
        try {
            while (!queue.running().isEmpty() && !deadline.isExpired()) {
                idle.awaitNanos(deadline.remainingNanos());
            }
        } catch (InterruptedException interrupt) {
            Thread.currentThread().interrupt();
        } finally {
            mutex.unlock();
        }
        return stillHeld();
    }

    private List<AdmissionClosure.Held> stillHeld() {
        mutex.lock();
        try {
            long now = clock.nanos();
            return queue.running().stream()
                    .sorted(Comparator.comparingLong(Running::order))
                    .map(held -> new AdmissionClosure.Held(
                            held.attempt(),
                            held.request().label(),
                            held.deviceOrdinal(),
                            held.grantId,
                            held.bytes,
                            now - held.admittedNanos))
                    .toList();
        } finally {
            mutex.unlock();
        }
    }

    /** Closes without waiting for running grants. */
    @Override
    public void close() {
        close(new Deadline(clock, Long.MIN_VALUE));
    }

    boolean isMutexHeld() {
        return mutex.isHeldByCurrentThread();
    }

    private static long nanos(java.time.Duration limit) {
        try {
            return limit.toNanos();
        } catch (ArithmeticException tooLong) {
            return Long.MAX_VALUE;
        }
    }
}
