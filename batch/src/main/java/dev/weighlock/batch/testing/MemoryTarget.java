package dev.weighlock.batch.testing;

import dev.weighlock.batch.BatchError;
import dev.weighlock.batch.BatchException;
import dev.weighlock.batch.chunk.Checkpoint;
import dev.weighlock.batch.chunk.CheckpointKey;
import dev.weighlock.batch.chunk.ChunkTarget;
import dev.weighlock.batch.chunk.TargetTransaction;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A transactional table of rows that keeps checkpoints beside them, as a target database does. A writer gets the
 * transaction by {@code chunk.transaction(MemoryTarget.Rows.class)}.
 *
 * <p>Thread-safe: synchronized on itself; one target serves all steps and partitions of a test.
 */
public final class MemoryTarget implements ChunkTarget {
    /** The rows that an open transaction adds. */
    public static final class Rows {
        private final List<Object> added = new ArrayList<>();

        private Rows() {}

        public void add(Object row) {
            added.add(row);
        }
    }

    /** What the next COMMIT does in place of answering. */
    public enum LostAnswer {
        /** It commits, and its answer is lost. */
        COMMITTED,
        /** It does not commit, and nobody says so. */
        NOT_COMMITTED,
        /** It commits, and the target cannot be asked afterwards. */
        UNKNOWABLE
    }

    private final List<Object> rows = new ArrayList<>();
    private final Map<CheckpointKey, Checkpoint> checkpoints = new HashMap<>();
    private @Nullable LostAnswer lostAnswer;
    private int open;

    public MemoryTarget() {}

    /** The committed rows in the order committed. */
    public synchronized List<Object> rows() {
        return List.copyOf(rows);
    }

    /** Transactions begun and neither committed nor rolled back: 0 when a step has ended. */
    public synchronized int openTransactions() {
        return open;
    }

    public synchronized void loseNextAnswer(LostAnswer how) {
        lostAnswer = how;
    }

    @Override
    public synchronized Optional<Checkpoint> acquire(CheckpointKey key, long epoch) {
        var stored = checkpoints.get(key);
        if (stored == null) {
            return Optional.empty();
        }
        guard(stored, epoch);
        checkpoints.put(key, new Checkpoint(epoch, stored.sequence(), stored.totals(), stored.context()));
        return Optional.of(stored);
    }

    private static void guard(@Nullable Checkpoint stored, long epoch) {
        if (stored != null && stored.epoch() > epoch) {
            throw new BatchException(BatchError.FENCED, "the checkpoint belongs to a newer owner");
        }
    }

    @Override
    public synchronized TargetTransaction begin(CheckpointKey key, long epoch) {
        open++;
        return new Transaction(key);
    }

    @Override
    public synchronized Optional<Checkpoint> read(CheckpointKey key) {
        if (lostAnswer == LostAnswer.UNKNOWABLE) {
            throw new BatchException(BatchError.COMMIT_OUTCOME_UNKNOWN, "the target cannot be asked");
        }
        return Optional.ofNullable(checkpoints.get(key));
    }

    private synchronized void commit(CheckpointKey key, Rows added, Checkpoint checkpoint) {
        guard(checkpoints.get(key), checkpoint.epoch());
        var lost = lostAnswer;
        if (lost != LostAnswer.NOT_COMMITTED) {
            rows.addAll(added.added);
            checkpoints.put(key, checkpoint);
        }
        if (lost != null) {
            lostAnswer = lost == LostAnswer.UNKNOWABLE ? lost : null;
            throw new BatchException(BatchError.COMMIT_OUTCOME_UNKNOWN, "no answer to a COMMIT");
        }
    }

    private synchronized void ended() {
        open--;
    }

    /** Its rows and checkpoints stay. */
    @Override
    public void close() {}

    private final class Transaction implements TargetTransaction {
        private final CheckpointKey key;
        private final Rows added = new Rows();
        private boolean ended;

        Transaction(CheckpointKey key) {
            this.key = key;
        }

        @Override
        public <T> T unwrap(Class<T> type) {
            if (type.isInstance(added)) {
                return type.cast(added);
            }
            throw new BatchException(BatchError.DELIVERY_UNAVAILABLE, "a target in memory has no " + type.getName());
        }

        @Override
        public void commit(Checkpoint checkpoint) {
            MemoryTarget.this.commit(key, added, checkpoint);
        }

        @Override
        public void close() {
            if (!ended) {
                ended = true;
                ended();
            }
        }
    }
}
