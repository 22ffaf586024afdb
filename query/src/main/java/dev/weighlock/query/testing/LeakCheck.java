package dev.weighlock.query.testing;

import dev.weighlock.query.device.DeviceLedger;
import dev.weighlock.query.device.HeldGrants;
import dev.weighlock.query.lifecycle.OpenHandles;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Fails the test that leaves something open: what it watches must be empty when it is closed. Made at the start of a
 * test and closed at its end, by hand, in try-with-resources, or by an extension of the test framework.
 *
 * <p>What the fixtures of this package make on a thread is watched by the check that is {@linkplain #beginOnThread begun}
 * there, so a test needs no line of its own. A check is for one thread; what it watches may be used by any.
 */
public final class LeakCheck implements AutoCloseable {
    private static final ThreadLocal<@Nullable LeakCheck> ON_THREAD = new ThreadLocal<>();

    private final Map<String, Supplier<? extends List<?>>> watched = new LinkedHashMap<>();

    public LeakCheck() {}

    /** A check that watches what fixtures make on this thread from now until its close, instead of any before it. */
    public static LeakCheck beginOnThread() {
        LeakCheck check = new LeakCheck();
        ON_THREAD.set(check);
        return check;
    }

    /** The check of this thread; one that nobody closes where none was begun. */
    public static LeakCheck onThread() {
        LeakCheck begun = ON_THREAD.get();
        return begun == null ? new LeakCheck() : begun;
    }

    /** Watches permits, receivers and what else is noted there. */
    public LeakCheck watch(OpenHandles handles) {
        return watch("handles", handles::open);
    }

    /** Watches grants and resident leases. */
    public LeakCheck watch(DeviceLedger ledger) {
        return watch("device " + ledger.deviceOrdinal(), new HeldGrants(ledger));
    }

    /** Watches a list of what is open. */
    public LeakCheck watch(String what, Supplier<? extends List<?>> open) {
        watched.put(what + " #" + watched.size(), open);
        return this;
    }

    /** @throws AssertionError naming everything that is still open */
    @Override
    public void close() {
        if (ON_THREAD.get() == this) {
            ON_THREAD.remove();
        }
        List<String> leaks = new ArrayList<>();
        watched.forEach((what, open) -> open.get().forEach(leak -> leaks.add(what + ": " + leak)));
        if (!leaks.isEmpty()) {
            throw new AssertionError("left open:\n  " + String.join("\n  ", leaks));
        }
    }
}
