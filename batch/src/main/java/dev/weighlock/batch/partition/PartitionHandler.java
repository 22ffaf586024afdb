package dev.weighlock.batch.partition;

/** Spreads a partitioned step's work over workers: threads of this process, or those of a distributed engine. */
@FunctionalInterface
public interface PartitionHandler {
    /** Returns when no partition is left to claim, or the work says to end, and no worker runs any more. */
    void handle(PartitionWork work) throws Exception;
}
