package dev.weighlock.jobs.file;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** A chunk step: read, write and commit in chunks. */
public record ChunkKeys(
        CsvKeys read,
        Optional<ProcessKeys> process,
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

    /**
     * A failed chunk is tried again this often, waiting longer each time.
     *
     * @param on names of exception classes; none means all
     */
    public record Retry(int limit, List<String> on, Duration initial, Duration max, double factor, double jitter) {
        public Retry {
            on = List.copyOf(on);
        }
    }

    /**
     * So many items may be left out, in these phases.
     *
     * @param classes names of exception classes; none means what makes an item a bad one
     */
    public record Skip(int limit, Set<Phase> on, List<String> classes) {
        public Skip {
            on = Set.copyOf(on);
            classes = List.copyOf(classes);
        }
    }

    /** Where an item can fail. */
    public enum Phase {
        READ,
        PROCESS,
        WRITE
    }
}
