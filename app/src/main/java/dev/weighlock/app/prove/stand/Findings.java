package dev.weighlock.app.prove.stand;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What one report found. Latencies are told and never judged; counts, statuses and orders are judged by whoever adds a
 * violation. A report without violations has passed. For one thread.
 */
public final class Findings {
    private final Map<String, @Nullable Object> latencies = new LinkedHashMap<>();
    private final Map<String, Object> counts = new LinkedHashMap<>();
    private final Map<String, @Nullable Object> facts = new LinkedHashMap<>();
    private final Map<String, String> unexamined = new LinkedHashMap<>();
    private final List<String> violations = new ArrayList<>();

    /** @param name says from what to what; empty for one that was not seen */
    public void latency(String name, Optional<Duration> took) {
        latencies.put(name + "_micros", took.map(time -> time.toNanos() / 1000).orElse(null));
    }

    public void latency(String name, Duration took) {
        latency(name, Optional.of(took));
    }

    public void count(String name, long number) {
        counts.put(name, number);
    }

    /** Anything else that a reader needs: texts, numbers, lists and maps of these. */
    public void fact(String name, @Nullable Object value) {
        facts.put(name, value);
    }

    /** Something near the promise that was not looked at, and why. */
    public void unexamined(String what, String why) {
        unexamined.put(what, why);
    }

    /** The promise did not hold: what was seen instead. */
    public void violation(String text) {
        violations.add(text);
    }

    /** A violation unless it holds. */
    public void require(boolean holds, String violation) {
        if (!holds) {
            violation(violation);
        }
    }

    public List<String> violations() {
        return List.copyOf(violations);
    }

    public boolean passed() {
        return violations.isEmpty();
    }

    public Map<String, @Nullable Object> latencies() {
        return new LinkedHashMap<>(latencies);
    }

    public Map<String, Object> counts() {
        return new LinkedHashMap<>(counts);
    }

    public Map<String, @Nullable Object> facts() {
        return new LinkedHashMap<>(facts);
    }

    public Map<String, String> unexamined() {
        return new LinkedHashMap<>(unexamined);
    }
}
