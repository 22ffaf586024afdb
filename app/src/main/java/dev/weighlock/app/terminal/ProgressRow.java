package dev.weighlock.app.terminal;

import org.jspecify.annotations.Nullable;

/**
 * One step or partition as progress shows it.
 *
 * @param label the step, or the step and partition
 * @param isPartition whether it is a part of the step above it
 * @param state a status word
 * @param running whether it is still going on
 * @param rows rows done so far, negative when it counts none
 * @param parts finished parts, for a step that has some
 * @param totalParts all parts; 0 when it has none or nobody knows yet
 * @param memory bytes in use and granted
 */
public record ProgressRow(
        String label,
        boolean isPartition,
        String state,
        boolean running,
        long rows,
        long parts,
        long totalParts,
        @Nullable Memory memory) {
    /** Memory of a running query: what it uses now, where the engine tells, and its grant. */
    public record Memory(long usedBytes, long grantedBytes) {
        public static final long UNKNOWN = -1;
    }
}
