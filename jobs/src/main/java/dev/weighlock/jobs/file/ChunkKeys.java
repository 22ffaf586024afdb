package dev.weighlock.jobs.file;

import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/** A chunk step: read, write and commit in chunks. */
public record ChunkKeys(
        CsvKeys read,
        TableKeys write,
        int size,
        Delivery delivery,
        InFlight inFlight,
        Optional<Retry> retry,
        Optional<Skip> skip,
        boolean readAhead)
        implements StepWork {
    /** What a crash may do to written rows. */
    public enum Delivery {
        ATOMIC,
        AT_LEAST_ONCE
    }

    /** What a stop does to the chunk in flight. */
    public enum InFlight {
        FINISH,
        ROLLBACK
    }

    /** A failed chunk is tried again this often, waiting longer each time. */
    public record Retry(int limit, Duration initial, Duration max, double factor, double jitter) {}

    /** So many items may be left out, in these phases. */
    public record Skip(int limit, Set<Phase> on) {
        public Skip {
            on = Set.copyOf(on);
        }
    }

    /** Where an item can fail. */
    public enum Phase {
        READ,
        PROCESS,
        WRITE
    }
}
