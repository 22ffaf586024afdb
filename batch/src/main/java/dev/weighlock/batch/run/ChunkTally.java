package dev.weighlock.batch.run;

import dev.weighlock.batch.StepCounts;
import dev.weighlock.batch.chunk.SkipPhase;

/** What one chunk adds to the counts, as it goes. For one thread at a time. */
final class ChunkTally {
    long read;
    long processed;
    long filtered;
    private long readSkips;
    private long processSkips;
    private long writeSkips;

    void skipped(SkipPhase phase) {
        switch (phase) {
            case READ -> readSkips++;
            case PROCESS -> processSkips++;
            case WRITE -> writeSkips++;
        }
    }

    long skipped() {
        return readSkips + processSkips + writeSkips;
    }

    boolean isEmpty() {
        return read == 0;
    }

    StepCounts committed(long written) {
        return new StepCounts(read, processed, written, filtered, readSkips, processSkips, writeSkips, 1, 0);
    }
}
