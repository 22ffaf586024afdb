package dev.weighlock.query;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The ordered facts of one error. Immutable; {@link #with} gives a longer list. */
public record Facts(List<Fact> entries) {
    private static final Facts NONE = new Facts(List.of());

    public Facts {
        entries = List.copyOf(entries);
    }

    /** One fact. */
    public record Fact(FactKey key, String value) {}

    public static Facts none() {
        return NONE;
    }

    public static Facts of(Reason reason) {
        return NONE.with(reason);
    }

    public static Facts of(FactKey key, Object value) {
        return NONE.with(key, value);
    }

    public Facts with(Reason reason) {
        return with(FactKey.REASON, reason.value());
    }

    public Facts with(FactKey key, Object value) {
        List<Fact> longer = new ArrayList<>(entries.size() + 1);
        longer.addAll(entries);
        longer.add(new Fact(key, value.toString()));
        return new Facts(longer);
    }

    /** The value of the first fact with this key. */
    public Optional<String> value(FactKey key) {
        return entries.stream()
                .filter(fact -> fact.key() == key)
                .map(Fact::value)
                .findFirst();
    }

    public boolean has(Reason reason) {
        return value(FactKey.REASON).filter(reason.value()::equals).isPresent();
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        for (Fact fact : entries) {
            text.append(text.isEmpty() ? "" : ", ")
                    .append(fact.key().key())
                    .append('=')
                    .append(fact.value());
        }
        return text.toString();
    }
}
