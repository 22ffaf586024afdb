package dev.weighlock.query.device;

import static dev.weighlock.query.testing.TestDevices.host;
import static dev.weighlock.query.testing.TestDevices.request;

import dev.weighlock.query.QueryException;
import dev.weighlock.query.Reason;
import dev.weighlock.query.device.LedgerModel.ModelGrant;
import dev.weighlock.query.testing.ScriptedDomain;
import dev.weighlock.query.testing.ScriptedStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A random walk over one ledger and its model at once: the same operation on both, then a comparison. */
final class LedgerWalk {
    /** The step that found nothing to do. */
    static final String NOTHING = "nothing";

    private record Handle(Grant grant, ModelGrant model) {}

    private record Resident(ResidentLease lease, ModelGrant model, boolean fenced) {}

    private record Pinned(CacheEntry entry, List<CacheEntry.Pin> pins) {}

    final DeviceLedger ledger;
    private final Random random;
    private final Consumer<Grant> giveBack;
    private final LedgerModel model;
    private final List<Handle> handles = new ArrayList<>();
    private final List<Resident> residents = new ArrayList<>();
    private final List<Pinned> entries = new ArrayList<>();
    private long lastSequenceSeen;
    private @Nullable String observerComplaint;

    LedgerWalk(Random random) {
        this(random, Grant::close);
    }

    /** @param giveBack closes a handle; a planted one does not */
    LedgerWalk(Random random, Consumer<Grant> giveBack) {
        this.random = random;
        this.giveBack = giveBack;
        DeviceProfile profile = host(random.nextInt(64), 100 + random.nextInt(400), 1 + random.nextInt(6))
                .cacheCap(random.nextInt(50))
                .defaultQueryLimit(1 + random.nextInt(50))
                .resolve();
        ledger = new DeviceLedger(profile, () -> 0);
        model = new LedgerModel(profile);
        ledger.observeTransitions(this::observe);
        if (random.nextInt(4) == 0) {
            ledger.observeTransitions(_ -> fail());
            ledger.observeAdmission(_ -> fail());
        }
    }

    private static void fail() {
        throw new IllegalStateException("planted");
    }

    private void observe(LedgerTransition transition) {
        if (transition.snapshot().sequence() != ++lastSequenceSeen) {
            observerComplaint =
                    "an observer saw sequence " + transition.snapshot().sequence();
        }
    }

    String step() {
        return switch (random.nextInt(100)) {
            case 0 -> random.nextInt(60) == 0 ? poison() : NOTHING;
            case 1 -> random.nextInt(20) == 0 ? closeAdmission() : NOTHING;
            case 2, 3, 4 -> share();
            case 5, 6, 7, 8, 9, 10 -> prepare();
            case 11, 12, 13, 14, 15 -> publish();
            case 16, 17, 18, 19, 20, 21, 22, 23, 24, 25 -> addResident();
            case 26, 27, 28, 29, 30, 31, 32, 33, 34, 35 -> closeResident();
            case 36, 37, 38, 39, 40 -> charge();
            case 41, 42, 43, 44, 45 -> pin();
            case 46, 47, 48, 49, 50 -> unpin();
            case 51, 52, 53, 54, 55 -> destroy();
            case 56, 57, 58, 59, 60, 61, 62, 63, 64, 65, 66, 67, 68, 69, 70, 71, 72, 73, 74, 75 -> closeHandle();
            default -> admit();
        };
    }

    /** Whether the ledger is closed or poisoned, so that from now on it only releases. */
    boolean onlyReleases() {
        return model.closures > 0 || model.poisoned;
    }

    /** What the ledger and the model disagree on, null when on nothing. */
    @Nullable
    String difference() {
        if (observerComplaint != null) {
            return observerComplaint;
        }
        LedgerSnapshot seen = ledger.books().snapshot();
        StringBuilder text = new StringBuilder();
        compare(text, "sequence", seen.sequence(), model.sequence);
        compare(text, "active", seen.active(), model.active());
        compare(text, "live", seen.liveGrantBytes(), model.liveBytes());
        compare(text, "frozen", seen.frozenResidentBytes(), model.frozenBytes());
        compare(text, "owners", seen.residentOwnerBytes(), model.ownerBytes());
        compare(text, "evictable", seen.cacheEvictableBytes(), model.evictable);
        compare(text, "pinned", seen.cachePinnedBytes(), model.pinned);
        compare(
                text,
                "closures",
                seen.health() instanceof DeviceHealth.Closed closed ? closed.generation() : 0,
                model.closures);
        return text.isEmpty() ? null : text.toString();
    }

    private static void compare(StringBuilder text, String figure, long seen, long expected) {
        if (seen != expected) {
            text.append(figure)
                    .append(" is ")
                    .append(seen)
                    .append(", expected ")
                    .append(expected)
                    .append("; ");
        }
    }

    void closeAll() {
        while (!residents.isEmpty()) {
            closeResident();
        }
        while (!handles.isEmpty()) {
            closeHandle();
        }
        if (model.active() != 0 || !model.grants.isEmpty()) {
            throw new AssertionError("the walk forgot a handle");
        }
    }

    private String admit() {
        long bytes = random.nextInt(3) == 0 ? 0 : 1 + random.nextInt((int) model.queryShare + 5);
        QueryCap cap = bytes == 0 ? QueryCap.DEFAULT : QueryCap.of(bytes);
        if (expectPoisoned(() -> ledger.tryAdmit(request(cap)))) {
            return "admit, poisoned";
        }
        ModelGrant expected = model.admit(bytes);
        Grant grant = ledger.tryAdmit(request(cap)).orElse(null);
        if ((grant == null) != (expected == null)) {
            throw new AssertionError("admit " + bytes + ": the model disagrees");
        }
        if (grant != null && expected != null) {
            if (grant.bytes() != expected.bytes) {
                throw new AssertionError(grant + " instead of " + expected.bytes);
            }
            handles.add(new Handle(grant, expected));
        }
        return "admit " + bytes;
    }

    private String share() {
        if (handles.isEmpty()) {
            return NOTHING;
        }
        Handle handle = any(handles);
        handles.add(new Handle(handle.grant().share(), handle.model()));
        handle.model().holders++;
        return "share";
    }

    private String closeHandle() {
        if (handles.isEmpty()) {
            return NOTHING;
        }
        Handle handle = handles.remove(random.nextInt(handles.size()));
        giveBack.accept(handle.grant());
        giveBack.accept(handle.grant());
        model.release(handle.model());
        return "close a handle";
    }

    private String addResident() {
        if (handles.isEmpty()) {
            return NOTHING;
        }
        Handle handle = any(handles);
        long bytes = random.nextInt(30);
        if (bytes > 0 && expectPoisoned(() -> handle.grant().retainResident(bytes))) {
            return "resident, poisoned";
        }
        if (handle.model().frozen != null && bytes > 0) {
            expectRefusal(() -> handle.grant().retainResident(bytes));
            return "resident after publish";
        }
        ResidentLease lease = handle.grant().retainResident(bytes).orElse(null);
        if (lease != null) {
            model.addOwner(handle.model(), bytes);
            boolean fenced = random.nextInt(30) != 0;
            if (fenced) {
                lease.recordCompletion(new ScriptedStream("s"));
            }
            residents.add(new Resident(lease, handle.model(), fenced));
        }
        return "resident " + bytes;
    }

    private String closeResident() {
        if (residents.isEmpty()) {
            return NOTHING;
        }
        Resident resident = residents.remove(random.nextInt(residents.size()));
        resident.lease().close();
        model.releaseOwner(resident.model(), resident.lease().bytes(), resident.fenced());
        return "close a resident";
    }

    private String prepare() {
        if (handles.isEmpty()) {
            return NOTHING;
        }
        Handle handle = any(handles);
        long bytes = random.nextInt(10) == 0 ? -1 - random.nextLong(100) : random.nextLong(handle.model().bytes + 1);
        boolean measured = random.nextBoolean();
        Runnable prepare = () -> {
            if (measured) {
                handle.grant().prepareFreeze(bytes, new ScriptedDomain());
            } else {
                handle.grant().prepareFreeze(bytes);
            }
        };
        if (bytes >= 0 && expectPoisoned(prepare)) {
            return "prepare, poisoned";
        }
        if (handle.model().isFrozen()) {
            return NOTHING;
        }
        if (bytes < 0) {
            expectRefusal(prepare);
            return "prepare " + bytes;
        }
        prepare.run();
        model.prepare(handle.model(), bytes, measured);
        return "prepare " + bytes;
    }

    private String publish() {
        if (handles.isEmpty()) {
            return NOTHING;
        }
        Handle handle = any(handles);
        if (expectPoisoned(handle.grant()::publishFreeze)) {
            return "publish, poisoned";
        }
        if (handle.model().prepared == null && handle.model().frozen == null) {
            expectRefusal(handle.grant()::publishFreeze);
            return "publish unprepared";
        }
        handle.grant().validateFreeze();
        handle.grant().publishFreeze();
        if (handle.model().frozen == null) {
            model.publish(handle.model());
        }
        return "publish";
    }

    private String charge() {
        long bytes = 1L + random.nextInt(20);
        if (expectPoisoned(() -> ledger.cache().tryReserve(bytes))) {
            return "charge, poisoned";
        }
        CacheEntry entry = ledger.cache().tryCharge(bytes).orElse(null);
        if ((entry != null) != model.reserve(bytes)) {
            throw new AssertionError("charge " + bytes);
        }
        if (entry != null) {
            entries.add(new Pinned(entry, new ArrayList<>()));
        }
        return "charge " + bytes;
    }

    private String pin() {
        if (entries.isEmpty() || model.poisoned) {
            return NOTHING;
        }
        Pinned entry = any(entries);
        entry.pins().add(entry.entry().pin());
        if (entry.pins().size() == 1) {
            movePinned(entry.entry().bytes());
        }
        return "pin";
    }

    private String unpin() {
        if (entries.isEmpty() || model.poisoned) {
            return NOTHING;
        }
        Pinned entry = any(entries);
        if (entry.pins().isEmpty()) {
            return NOTHING;
        }
        entry.pins().removeLast().close();
        if (entry.pins().isEmpty()) {
            movePinned(-entry.entry().bytes());
        }
        return "unpin";
    }

    private void movePinned(long bytes) {
        model.pinned += bytes;
        model.evictable -= bytes;
        model.sequence++;
    }

    private String destroy() {
        if (entries.isEmpty() || model.poisoned) {
            return NOTHING;
        }
        Pinned entry = any(entries);
        if (!entry.pins().isEmpty()) {
            return NOTHING;
        }
        entries.remove(entry);
        entry.entry().releaseDestroyed();
        model.evictable -= entry.entry().bytes();
        model.sequence++;
        return "destroy";
    }

    private String closeAdmission() {
        if (expectPoisoned(() -> ledger.closeAdmission("test"))) {
            return "close, poisoned";
        }
        ledger.closeAdmission("test");
        model.close();
        return "close admission";
    }

    private String poison() {
        try {
            ledger.guard().release("test", () -> {
                throw new IllegalStateException("planted");
            });
        } catch (IllegalStateException planted) {
            model.poisoned = true;
        }
        return "poison";
    }

    /** On a poisoned ledger the action must be refused; true when it was. */
    private boolean expectPoisoned(Runnable action) {
        if (!model.poisoned) {
            return false;
        }
        if (!refusal(action).facts().has(Reason.LEDGER_MUTEX_POISONED)) {
            throw new AssertionError("a poisoned ledger refused for another reason");
        }
        return true;
    }

    private static void expectRefusal(Runnable action) {
        refusal(action);
    }

    private static QueryException refusal(Runnable action) {
        try {
            action.run();
        } catch (QueryException refusal) {
            return refusal;
        }
        throw new AssertionError("nothing was refused");
    }

    private <T> T any(List<T> list) {
        return list.get(random.nextInt(list.size()));
    }
}
