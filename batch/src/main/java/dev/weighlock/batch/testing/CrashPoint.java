package dev.weighlock.batch.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Named places at which a test stops a process, to kill it there or to let it sleep past its lease. Production code
 * calls {@link #reach}; without the system property {@value #PROPERTY} that is one comparison with null.
 *
 * <p>The property is {@code NAME}, or {@code NAME:N} for the N-th time it is reached, then {@code =FOLDER}. When reached,
 * the file {@code reached} appears in FOLDER and the thread waits until a file {@code continue} appears there, or for
 * ever: the harness kills the process from outside, with SIGKILL, as a crash would.
 *
 * <p>Thread-safe: one atomic counter; exactly one thread stops.
 */
public final class CrashPoint {
    public static final String PROPERTY = "weighlock.crash-point";

    /** The runtime's own points, in the order in which a run reaches them; a crash harness goes through all. */
    public static final List<String> NAMES = List.of(
            "job.started",
            "step.created",
            "partition.planned",
            "partition.claimed",
            "partition.running",
            "chunk.written",
            "chunk.in-transaction",
            "chunk.backing-off",
            "chunk.guarded",
            "chunk.committed",
            "partition.finishing",
            "partition.finished",
            "partition.stopped-planned",
            "step.finishing",
            "step.finished",
            "decision.recorded",
            "job.stopping",
            "job.finishing",
            "job.finished");

    private static final @Nullable Armed ARMED = Armed.parse(System.getProperty(PROPERTY));

    private CrashPoint() {}

    /** Stops here when this is the armed point. */
    public static void reach(String name) {
        if (ARMED != null) {
            ARMED.reach(name);
        }
    }

    private record Armed(String name, int turn, Path folder, AtomicInteger reached) {
        static @Nullable Armed parse(@Nullable String property) {
            if (property == null) {
                return null;
            }
            int equals = property.indexOf('=');
            var point = property.substring(0, equals);
            int colon = point.indexOf(':');
            var name = colon < 0 ? point : point.substring(0, colon);
            int turn = colon < 0 ? 1 : Integer.parseInt(point.substring(colon + 1));
            return new Armed(name, turn, Path.of(property.substring(equals + 1)), new AtomicInteger());
        }

        void reach(String point) {
            if (!name.equals(point) || reached.incrementAndGet() != turn) {
                return;
            }
            try {
                Files.createFile(folder.resolve("reached"));
            } catch (IOException e) {
                throw new UncheckedIOException("cannot mark the crash point " + point, e);
            }
            while (!Files.exists(folder.resolve("continue"))) {
                LockSupport.parkNanos(1_000_000);
            }
        }
    }
}
