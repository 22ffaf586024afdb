package dev.weighlock.query.report;

import dev.weighlock.query.FactKey;
import dev.weighlock.query.Facts;
import dev.weighlock.query.Reason;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** A fact that a report may carry: one of two keys, each with a closed set of values. */
public record FailureFact(FactKey key, String value) {
    private static final Map<FactKey, Set<String>> CLOSED_VALUES = Map.of(
            FactKey.REASON,
            valuesOf(Arrays.stream(Reason.values()).filter(Reason::reportable).toList(), Reason::value),
            FactKey.ALLOCATION_SOURCE,
            valuesOf(List.of(AllocationSource.values()), AllocationSource::value));

    public FailureFact {
        if (!isReportable(key, value)) {
            throw new IllegalArgumentException("a report cannot carry the fact " + key.key() + "=" + value);
        }
    }

    static FailureFact of(Reason reason) {
        return new FailureFact(FactKey.REASON, reason.value());
    }

    /** Those facts of an error that a report may carry, in their order. */
    static List<FailureFact> reportable(Facts facts) {
        return facts.entries().stream()
                .filter(fact -> isReportable(fact.key(), fact.value()))
                .map(fact -> new FailureFact(fact.key(), fact.value()))
                .toList();
    }

    private static boolean isReportable(FactKey key, String value) {
        return CLOSED_VALUES.getOrDefault(key, Set.of()).contains(value);
    }

    private static <T> Set<String> valuesOf(List<T> closed, Function<T, String> value) {
        return closed.stream().map(value).collect(Collectors.toUnmodifiableSet());
    }
}
