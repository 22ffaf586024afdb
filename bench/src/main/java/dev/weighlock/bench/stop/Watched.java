package dev.weighlock.bench.stop;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Random;

/** One side with the process in which its jobs run, and the one that watches it: this. For one thread. */
final class Watched implements AutoCloseable {
    private final BeatTable beats;
    private final Outside outside;
    private final StoppableProcess process;
    private final Random random;

    Watched(Side side, Ground ground, Path folder, Random random) throws Exception {
        this.random = random;
        beats = new BeatTable(ground);
        outside = switch (side) {
            case WEIGHLOCK -> new WeighlockOutside(ground);
            case SPRING_BATCH -> new SpringOutside((Ground.Postgres) ground);
        };
        process = StoppableProcess.start(side, ground, folder);
    }

    /** Runs a job and stops it. */
    Stopped stop(Work work, int partitions) throws Exception {
        long before = outside.newest();
        process.order(work, partitions);
        try {
            return Stopped.one(outside, beats, before, random);
        } catch (IllegalStateException e) {
            throw new IllegalStateException(process.output(), e);
        }
    }

    @Override
    public void close() throws SQLException, IOException {
        try (beats;
                outside;
                process) {
            // In reverse order.
        }
    }
}
