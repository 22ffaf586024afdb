package dev.weighlock.query.admission;

import dev.weighlock.query.AttemptId;
import dev.weighlock.query.QueryException;
import dev.weighlock.query.device.DeviceLedger;
import dev.weighlock.query.device.Grant;
import dev.weighlock.query.device.GrantRequest;
import dev.weighlock.query.device.LedgerSnapshot;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The decisions of admission: the order of the waiters, the rank of the devices, who may pass whom. Not thread-safe: the
 * service's mutex guards it. It decides and records; what follows goes into {@link Effects}.
 */
final class AdmissionQueue {
    private final AdmissionConfig config;
    private final Consumer<Running> onReleased;
    private final Map<String, Pool> pools = new LinkedHashMap<>();
    private final List<DeviceSlot> devices = new ArrayList<>();
    private final Map<AttemptId, Running> running = new HashMap<>();
    /** Attempts that wait. */
    private final Set<AttemptId> waiting = new HashSet<>();
    /** Waiters that name a parent. */
    private final Set<Waiter> descendants = new LinkedHashSet<>();

    private final TreeSet<Due> due = new TreeSet<>(Due.SOONEST);
    private final CircularWaits circles = new CircularWaits(this);
    private final Placement placement;

    private long admitted;
    private long lastOrder;
    private int queued;
    private long openDevices = -1;

    AdmissionQueue(AdmissionConfig config, List<DeviceLedger> ledgers, Consumer<Running> onReleased) {
        this.config = config;
        this.onReleased = onReleased;
        config.pools().forEach(pool -> pools.put(pool.name(), new Pool(pool)));
        ledgers.forEach(ledger -> devices.add(new DeviceSlot(ledger)));
        this.placement = new Placement(devices, pools.values(), config.maxPasses(), this::firstInsideAGrant);
    }

    Optional<Pool> pool(String name) {
        return Optional.ofNullable(pools.get(name));
    }

    Collection<Pool> pools() {
        return pools.values();
    }

    List<DeviceSlot> devices() {
        return devices;
    }

    Placement placement() {
        return placement;
    }

    Collection<Running> running() {
        return running.values();
    }

    @Nullable
    Running running(AttemptId attempt) {
        return running.get(attempt);
    }

    /** Whether the attempt waits or holds a grant. */
    boolean knows(AttemptId attempt) {
        return running.containsKey(attempt) || waiting.contains(attempt);
    }

    int queued() {
        return queued;
    }

    Collection<Waiter> descendants() {
        return descendants;
    }

    CircularWaits circles() {
        return circles;
    }

    long admitted() {
        return admitted;
    }

    /** When the next timeout or limit comes, {@link Long#MAX_VALUE} for never. */
    long nextDueNanos() {
        return due.isEmpty() ? Long.MAX_VALUE : due.first().dueNanos();
    }

    void add(Waiter waiter) {
        waiter.pool().add(waiter, presentFor(waiter.pool()));
        due.add(waiter);
        waiting.add(waiter.request().attempt());
        if (waiter.request().parentAttempt() != null) {
            descendants.add(waiter);
        }
        queued++;
    }

    void remove(Waiter waiter) {
        if (waiter.pool().remove(waiter)) {
            queued--;
            due.remove(waiter);
            waiting.remove(waiter.request().attempt());
            descendants.remove(waiter);
            placement.giveUpRoom(waiter);
        }
    }

    boolean isOverLimit(Waiter waiter) {
        return queued > config.queueLimit()
                || waiter.pool().queued() > waiter.pool().config().maxQueued();
    }

    int limitOf(Waiter waiter) {
        return Math.min(config.queueLimit(), waiter.pool().config().maxQueued());
    }

    void forEachWaiter(Consumer<Waiter> action) {
        pools.values().forEach(pool -> pool.forEachWaiter(action));
    }

    /**
     * Where a pool that comes back stands at least: beside the one furthest behind of those that are busy, or where the
     * last one stopped. Only what was used counts: a charge that is corrected later would be held against it for ever.
     */
    private double presentFor(Pool returning) {
        double leastBusy = Double.POSITIVE_INFINITY;
        double most = 0;
        for (Pool pool : pools.values()) {
            if (pool != returning && pool.isBusy()) {
                leastBusy = Math.min(leastBusy, pool.settledTime());
            }
            most = Math.max(most, pool.settledTime());
        }
        return leastBusy == Double.POSITIVE_INFINITY ? most : leastBusy;
    }

    /** Admits all that can be admitted, in order. */
    void decide(long nowNanos, Effects effects) {
        devices.forEach(DeviceSlot::refresh);
        reconcileHealth(effects);
        for (Placement.Choice choice = placement.next(); choice != null; choice = placement.next()) {
            if (choice.waiter().isWaiting()) {
                admit(choice, nowNanos, effects);
            } else {
                remove(choice.waiter());
            }
        }
    }

    /** Ends what is due. */
    void expire(long nowNanos, Effects effects) {
        while (nextDueNanos() <= nowNanos) {
            switch (due.pollFirst()) {
                case Waiter waiter -> refuse(waiter, waiter.dueError(nowNanos), effects);
                case Running overdue -> {
                    if (overdue.overdue != null) {
                        effects.add(overdue.overdue);
                    }
                }
                case null -> throw new AssertionError("something was due");
            }
        }
    }

    /** Takes every cleaning for overdue, each once. */
    void giveUpCleaning(Effects effects) {
        for (Running held : running()) {
            if (held.overdue != null && due.remove(held)) {
                effects.add(held.overdue);
            }
        }
    }

    void refuse(Waiter waiter, QueryException error, Effects effects) {
        remove(waiter);
        if (waiter.decide(new AdmissionOutcome.Refused(error))) {
            effects.add(waiter::publish);
        }
    }

    void refuseAll(Effects effects) {
        List<Waiter> all = new ArrayList<>();
        forEachWaiter(all::add);
        all.forEach(waiter -> refuse(waiter, Refusals.closing(), effects));
    }

    /** Books a release; false when the grant was given back before anybody had it. */
    boolean released(Running grant, long nowNanos) {
        if (!running.remove(grant.attempt(), grant)) {
            return false;
        }
        due.remove(grant);
        grant.pool().settle(grant.charged, grant.bytes, nowNanos - grant.admittedNanos);
        return true;
    }

    void watchCleaning(Running grant, long dueNanos, Runnable overdue) {
        due.remove(grant);
        grant.overdueNanos = dueNanos;
        grant.overdue = overdue;
        due.add(grant);
    }

    private void admit(Placement.Choice choice, long nowNanos, Effects effects) {
        Waiter waiter = choice.waiter();
        DeviceSlot device = choice.device();
        Running record = new Running(
                ++lastOrder, waiter.request(), waiter.pool(), device.ledger().deviceOrdinal());
        List<Waiter> passed = placement.passedBy(waiter, device);
        Optional<Grant> grant = tryAdmit(waiter, device, record, nowNanos);
        device.refresh();
        if (grant.isEmpty()) {
            device.markExhausted();
            return;
        }
        record.bytes = grant.get().bytes();
        record.grantId = grant.get().grantId();
        record.admittedNanos = nowNanos;
        if (handOver(waiter, grant.get(), record, effects)) {
            passed.forEach(head -> head.passes++);
        }
    }

    private Optional<Grant> tryAdmit(Waiter waiter, DeviceSlot device, Running record, long nowNanos) {
        try {
            return device.ledger()
                    .tryAdmit(
                            new GrantRequest(
                                    waiter.id(),
                                    record.attempt(),
                                    waiter.cap(),
                                    waiter.request().label(),
                                    () -> onReleased.accept(record)),
                            nowNanos);
        } catch (QueryException poisoned) {
            return Optional.empty();
        }
    }

    /** One compare-and-set against timeout and cancel; whoever was first there, the waiter leaves the queue. */
    private boolean handOver(Waiter waiter, Grant grant, Running record, Effects effects) {
        AdmissionFacts facts = new AdmissionFacts(
                admitted + 1,
                waiter.requestedNanos(),
                record.admittedNanos,
                record.deviceOrdinal(),
                grant.bytes(),
                waiter.passes);
        boolean won = waiter.decide(new AdmissionOutcome.Admitted(grant, facts));
        remove(waiter);
        if (!won) {
            effects.add(grant::close);
            return false;
        }
        admitted++;
        running.put(record.attempt(), record);
        record.charged = record.pool().charge(record.bytes);
        effects.add(waiter::publish);
        return true;
    }

    /** Waiters whose last device closed are told; a fault that may reach everywhere closes every device. */
    private void reconcileHealth(Effects effects) {
        long open = 0;
        boolean unknown = false;
        for (int index = 0; index < devices.size(); index++) {
            open |= devices.get(index).open() == null ? 0 : 1L << index;
            unknown |= devices.get(index).isClosedForUnknownIsolation();
        }
        if (unknown) {
            closeOpenDevices(effects);
        }
        if (open == openDevices) {
            return;
        }
        openDevices = open;
        List<Waiter> stranded = new ArrayList<>();
        forEachWaiter(waiter -> {
            if (!placement.hasOpenDevice(waiter)) {
                stranded.add(waiter);
            }
        });
        stranded.forEach(waiter -> refuse(waiter, Refusals.unhealthy(waiter.request()), effects));
        for (var stuck = circles.latestStuck(); stuck.isPresent(); stuck = circles.latestStuck()) {
            refuse(stuck.get(), Refusals.waitsInACircle(stuck.get().request(), List.of()), effects);
        }
    }

    /** Of the waiters that run inside a grant the one that goes first and fits on the device. */
    private @Nullable Waiter firstInsideAGrant(DeviceSlot device, LedgerSnapshot state) {
        Waiter first = null;
        for (Waiter waiter : descendants) {
            if (waiter.precedes(first)
                    && waiter.pool().mayRunMore()
                    && device.hasCapabilitiesOf(waiter.request())
                    && Placement.fits(waiter, state)
                    && !circles.ancestors(waiter.request()).isEmpty()) {
                first = waiter;
            }
        }
        return first;
    }

    private void closeOpenDevices(Effects effects) {
        for (DeviceSlot device : devices) {
            LedgerSnapshot open = device.open();
            if (open != null) {
                effects.add(() -> device.ledger()
                        .closeAdmissionForUnknownIsolation("another device failed in a way that may reach this one"));
            }
        }
    }
}
