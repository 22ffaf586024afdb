package dev.weighlock.batch.stop;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The side of a stop that fires it. A source made with parents fires when any of them does.
 *
 * <p>Thread-safe. The lock guards the flag and the registrations; no action runs under it. Children fire on the thread
 * that calls {@link #stop}, actions on a daemon thread each. Close a source that has parents, else they keep it.
 */
public final class StopSource implements AutoCloseable {
    private static final ThreadFactory THREADS =
            Thread.ofPlatform().daemon().name("weighlock-on-stop").factory();

    static final StopSource NEVER = new StopSource();

    private final ThreadFactory threads;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Set<Action> actions = new LinkedHashSet<>();
    private final List<StopToken.Registration> parents = new ArrayList<>();
    private final StopToken token = new Token();
    private volatile boolean stopped;

    public StopSource(StopToken... parents) {
        this(THREADS, parents);
    }

    /** @param threads makes the thread of each action */
    StopSource(ThreadFactory threads, StopToken... parents) {
        this.threads = threads;
        for (var parent : parents) {
            this.parents.add(((Token) parent).register(this::stop, false));
        }
    }

    public StopToken token() {
        return token;
    }

    /**
     * Requests the stop; repeats change nothing. Everybody is told, also after an action whose thread cannot start: the
     * first such failure is thrown when all are told.
     */
    public void stop() {
        assert this != NEVER;
        List<Action> due;
        lock.lock();
        try {
            if (stopped) {
                return;
            }
            stopped = true;
            changed.signalAll();
            due = List.copyOf(actions);
            actions.clear();
        } finally {
            lock.unlock();
        }
        fireAll(due);
    }

    private static void fireAll(List<Action> due) {
        @Nullable Throwable first = null;
        for (var action : due) {
            try {
                action.fire();
            } catch (RuntimeException | Error e) {
                first = first == null ? e : with(first, e);
            }
        }
        switch (first) {
            case Error e -> throw e;
            case RuntimeException e -> throw e;
            case null, default -> {}
        }
    }

    /** The machine may throw one and the same error twice. */
    private static Throwable with(Throwable first, Throwable next) {
        if (!first.equals(next)) {
            first.addSuppressed(next);
        }
        return first;
    }

    /** Lets go of the parents; the token keeps its state. */
    @Override
    public void close() {
        parents.forEach(StopToken.Registration::close);
    }

    /** Compared by identity: the same runnable may be registered twice. */
    private final class Action implements StopToken.Registration {
        private final Runnable body;
        private final boolean ownThread;

        Action(Runnable body, boolean ownThread) {
            this.body = body;
            this.ownThread = ownThread;
        }

        void fire() {
            if (ownThread) {
                threads.newThread(body).start();
            } else {
                body.run();
            }
        }

        @Override
        public void close() {
            lock.lock();
            try {
                actions.remove(this);
            } finally {
                lock.unlock();
            }
        }
    }

    private final class Token implements StopToken {
        @Override
        public boolean isStopRequested() {
            return stopped;
        }

        @Override
        public boolean await(Duration atMost) throws InterruptedException {
            long nanos = atMost.toNanos();
            lock.lockInterruptibly();
            try {
                while (!stopped && nanos > 0) {
                    nanos = changed.awaitNanos(nanos);
                }
                return stopped;
            } finally {
                lock.unlock();
            }
        }

        @Override
        public Registration onStop(Runnable action) {
            return register(action, true);
        }

        Registration register(Runnable body, boolean ownThread) {
            var action = new Action(body, ownThread);
            lock.lock();
            try {
                if (!stopped) {
                    if (StopSource.this != NEVER) {
                        actions.add(action);
                    }
                    return action;
                }
            } finally {
                lock.unlock();
            }
            action.fire();
            return action;
        }
    }
}
