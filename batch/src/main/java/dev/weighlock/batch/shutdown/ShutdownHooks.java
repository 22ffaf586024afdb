package dev.weighlock.batch.shutdown;

import java.util.List;

/**
 * What a shutdown does once the joining is over, in this order. None of it changes what the drain reports.
 *
 * @param persist stores what is not stored yet; awaited however long it takes, so it must bound itself
 * @param flush sends the telemetry that waits
 * @param stopHeartbeat ends this process's proof of life
 * @param closeRepository closes the pool
 */
public record ShutdownHooks(Persist persist, Flush flush, Action stopHeartbeat, Action closeRepository) {
    /** Hooks that have nothing to do. */
    public static final ShutdownHooks NONE = new ShutdownHooks(held -> {}, () -> 0, () -> {}, () -> {});

    /** One part of a shutdown. */
    @FunctionalInterface
    public interface Action {
        void run() throws Exception;
    }

    /** Stores the record. */
    @FunctionalInterface
    public interface Persist {
        /** @param held what owned resources still hold; their users were let go a moment ago */
        void run(List<OwnedResource.Held> held) throws Exception;
    }

    /** Sends telemetry. */
    @FunctionalInterface
    public interface Flush {
        /** @return how many items were dropped instead of sent */
        long run() throws Exception;
    }

    /** What a hook is for. */
    public enum Kind {
        PERSIST,
        FLUSH_TELEMETRY,
        STOP_HEARTBEAT,
        CLOSE_REPOSITORY
    }

    /** How a hook ended. */
    public enum Status {
        COMPLETED,
        FAILED,
        /** It ran on when its time was over; a persist was awaited all the same. */
        DEADLINE_EXCEEDED
    }

    /**
     * What became of one hook.
     *
     * @param problem for people; empty when it completed
     */
    public record Outcome(Kind kind, Status status, String problem) {
        static Outcome completed(Kind kind) {
            return new Outcome(kind, Status.COMPLETED, "");
        }
    }

    public ShutdownHooks withPersist(Persist action) {
        return new ShutdownHooks(action, flush, stopHeartbeat, closeRepository);
    }

    public ShutdownHooks withFlush(Flush action) {
        return new ShutdownHooks(persist, action, stopHeartbeat, closeRepository);
    }

    public ShutdownHooks withStopHeartbeat(Action action) {
        return new ShutdownHooks(persist, flush, action, closeRepository);
    }

    public ShutdownHooks withCloseRepository(Action action) {
        return new ShutdownHooks(persist, flush, stopHeartbeat, action);
    }
}
