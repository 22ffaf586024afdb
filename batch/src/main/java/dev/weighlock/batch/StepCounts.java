package dev.weighlock.batch;

/**
 * What a step did to its items, in items; {@code commits} and {@code rollbacks} count transactions. An item skipped in
 * reading counts as read. At rest {@code read = written + filtered + skipped in each phase}.
 */
public record StepCounts(
        long read,
        long processed,
        long written,
        long filtered,
        long readSkips,
        long processSkips,
        long writeSkips,
        long commits,
        long rollbacks) {
    public static final StepCounts ZERO = new StepCounts(0, 0, 0, 0, 0, 0, 0, 0, 0);

    /** @throws BatchException INVALID_DEFINITION when a count is negative */
    public StepCounts {
        if ((read | processed | written | filtered | readSkips | processSkips | writeSkips | commits | rollbacks) < 0) {
            throw new BatchException(BatchError.INVALID_DEFINITION, "a count must not be negative");
        }
    }

    /** The sum of both, count by count. */
    public StepCounts plus(StepCounts other) {
        return new StepCounts(
                Math.addExact(read, other.read),
                Math.addExact(processed, other.processed),
                Math.addExact(written, other.written),
                Math.addExact(filtered, other.filtered),
                Math.addExact(readSkips, other.readSkips),
                Math.addExact(processSkips, other.processSkips),
                Math.addExact(writeSkips, other.writeSkips),
                Math.addExact(commits, other.commits),
                Math.addExact(rollbacks, other.rollbacks));
    }

    /**
     * What is in these counts and not in {@code other}, count by count.
     *
     * @throws BatchException INVALID_DEFINITION when {@code other} holds more of something
     */
    public StepCounts minus(StepCounts other) {
        return new StepCounts(
                read - other.read,
                processed - other.processed,
                written - other.written,
                filtered - other.filtered,
                readSkips - other.readSkips,
                processSkips - other.processSkips,
                writeSkips - other.writeSkips,
                commits - other.commits,
                rollbacks - other.rollbacks);
    }

    /** Items skipped in any phase. */
    public long skipped() {
        return readSkips + processSkips + writeSkips;
    }

    /** Whether every item read is accounted for. */
    public boolean isBalanced() {
        return read == written + filtered + skipped();
    }
}
