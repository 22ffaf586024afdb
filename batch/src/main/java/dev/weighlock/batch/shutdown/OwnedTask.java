package dev.weighlock.batch.shutdown;

/** A piece of work that the process waits for before it ends. The thread that does the work closes it. */
public final class OwnedTask implements AutoCloseable {
    private final TaskGate gate;
    private final long number;
    private volatile TaskPhase phase;

    OwnedTask(TaskGate gate, long number, TaskPhase phase) {
        this.gate = gate;
        this.number = number;
        this.phase = phase;
    }

    long number() {
        return number;
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
        gate.ended(this);
    }
}
