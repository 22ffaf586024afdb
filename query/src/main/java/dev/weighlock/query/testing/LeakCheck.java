package dev.weighlock.query.testing;

import dev.weighlock.query.lifecycle.OpenHandles;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Fails the test that leaves something open: what it watches must be empty when it is closed. Made at the start of a
 * test and closed at its end, by hand, in try-with-resources, or by an extension of the test framework. For one thread.
 */
public final class LeakCheck implements AutoCloseable {
    private final Map<String, Supplier<? extends List<?>>> watched = new LinkedHashMap<>();

    public LeakCheck() {}

    /** Watches permits, receivers and what else is noted there. */
    public LeakCheck watch(OpenHandles handles) {
        return watch("handles", handles::open);
    }

    /** Watches a list of what is open, such as the grants of a ledger. */
    public LeakCheck watch(String what, Supplier<? extends List<?>> open) {
        watched.put(what + " #" + watched.size(), open);
        return this;
    }

    /** @throws AssertionError naming everything that is still open */
    @Override
    public void close() {
        List<String> leaks = new ArrayList<>();
        watched.forEach((what, open) -> open.get().forEach(leak -> leaks.add(what + ": " + leak)));
        if (!leaks.isEmpty()) {
            throw new AssertionError("left open:\n  " + String.join("\n  ", leaks));
        }
    }
}
