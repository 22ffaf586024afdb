package dev.weighlock.query.observe;

import dev.weighlock.query.report.ObservationCompleteness;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** The events of one observation and the exact account of what was lost. Guarded by its observation's lock. */
final class EventBuffer {
    private static final long RECORD_BYTES = 64;

    private final ObservationConfig config;
    private List<ObservationEvent> events = List.of();
    private long lastSequence;
    private long lastNanos = Long.MIN_VALUE;
    private long retainedBytes;
    private Map<EventClass, Map<LossReason, Long>> losses = Map.of();
    private long lost;
    private boolean truncated;
    private boolean degraded;

    EventBuffer(ObservationConfig config) {
        this.config = config;
    }

    boolean add(EventPayload payload, long atNanos) {
        lastSequence++;
        if (atNanos < lastNanos) {
            degraded = true;
        }
        lastNanos = Math.max(lastNanos, atNanos);
        var bytes = RECORD_BYTES + payload.textBytes();
        if (events.size() >= config.maxRecords()) {
            return lose(payload.eventClass(), LossReason.RECORD_CAP);
        }
        if (retainedBytes + bytes > config.maxBytes()) {
            return lose(payload.eventClass(), LossReason.BYTE_CAP);
        }
        if (events.isEmpty()) {
            events = new ArrayList<>();
        }
        events.add(new ObservationEvent(lastSequence, lastNanos, payload));
        retainedBytes += bytes;
        return true;
    }

    boolean lose(EventClass eventClass, LossReason reason) {
        if (reason == LossReason.RECORDER_FAULT) {
            degraded = true;
        } else {
            truncated = true;
        }
        losses = losses.isEmpty() ? new EnumMap<>(EventClass.class) : losses;
        losses.computeIfAbsent(eventClass, _ -> new EnumMap<>(LossReason.class)).merge(reason, 1L, Long::sum);
        lost++;
        return false;
    }

    List<ObservationEvent> events() {
        return events;
    }

    ObservationCompleteness completeness() {
        return new ObservationCompleteness(lost, events.size(), retainedBytes, truncated, degraded);
    }

    List<Loss> losses() {
        List<Loss> rows = new ArrayList<>();
        losses.forEach((eventClass, reasons) ->
                reasons.forEach((reason, count) -> rows.add(new Loss(eventClass, reason, count))));
        return rows;
    }
}
