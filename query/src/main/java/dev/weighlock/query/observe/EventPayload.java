package dev.weighlock.query.observe;

import dev.weighlock.query.ErrorCode;
import dev.weighlock.query.ErrorStatus;
import dev.weighlock.query.report.CleanupPhase;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;

/** What one event says. */
public sealed interface EventPayload {
    EventClass eventClass();

    /** Bytes of text that this payload holds, beyond its fixed size. */
    default long textBytes() {
        return 0;
    }

    record Boundary(BoundaryKind kind) implements EventPayload {
        private static final Map<BoundaryKind, Boundary> ALL = all();

        static Boundary of(BoundaryKind kind) {
            return Objects.requireNonNull(ALL.get(kind));
        }

        private static Map<BoundaryKind, Boundary> all() {
            var all = new EnumMap<BoundaryKind, Boundary>(BoundaryKind.class);
            for (var kind : BoundaryKind.values()) {
                all.put(kind, new Boundary(kind));
            }
            return all;
        }

        @Override
        public EventClass eventClass() {
            return EventClass.BOUNDARY;
        }
    }

    record CleanupFailed(CleanupPhase phase, ErrorCode code, ErrorStatus status) implements EventPayload {
        @Override
        public EventClass eventClass() {
            return EventClass.CLEANUP_FAILURE;
        }
    }

    /** Rows and bytes that were read from one source since the last such event. */
    record SourceRead(String source, long rows, long bytes) implements EventPayload {
        @Override
        public EventClass eventClass() {
            return EventClass.SOURCE_READ;
        }

        @Override
        public long textBytes() {
            return 2L * source.length();
        }
    }

    /** What the engine used at one moment. */
    record MemorySample(long usedBytes, long tempBytes) implements EventPayload {
        @Override
        public EventClass eventClass() {
            return EventClass.MEMORY_SAMPLE;
        }
    }

    /** How much of the work is done, 0 to 1, by the engine's own estimate. */
    record Progress(double fraction) implements EventPayload {
        @Override
        public EventClass eventClass() {
            return EventClass.PROGRESS;
        }
    }
}
