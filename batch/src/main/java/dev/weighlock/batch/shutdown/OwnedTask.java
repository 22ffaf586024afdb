package dev.weighlock.batch.shutdown;

/** A piece of work that the process waits for before it ends. The thread that does the work closes it. */
public final class OwnedTask implements AutoCloseable {
    private final OwnedTasks owner;
    private volatile TaskPhase phase;

    OwnedTask(OwnedTasks owner, TaskPhase phase) {
        this.owner = owner;
        this.phase = phase;
    }

    public TaskPhase phase() {
        return phase;
    }

    /** Says what the task does from now on. */
    public void enter(TaskPhase next) {
        phase = next;
    }

    @Override
    public void close() {
        owner.ended(this);
    }
}
