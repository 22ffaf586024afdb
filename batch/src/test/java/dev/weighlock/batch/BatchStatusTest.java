package dev.weighlock.batch;

import static dev.weighlock.batch.BatchStatus.ABANDONED;
import static dev.weighlock.batch.BatchStatus.COMPLETED;
import static dev.weighlock.batch.BatchStatus.FAILED;
import static dev.weighlock.batch.BatchStatus.STARTED;
import static dev.weighlock.batch.BatchStatus.STARTING;
import static dev.weighlock.batch.BatchStatus.STOPPED;
import static dev.weighlock.batch.BatchStatus.STOPPING;
import static dev.weighlock.batch.BatchStatus.UNKNOWN;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class BatchStatusTest {
    private static final Map<BatchStatus, Set<BatchStatus>> ALLOWED = Map.of(
            STARTING, Set.of(STARTED, STOPPING, STOPPED, FAILED, UNKNOWN),
            STARTED, Set.of(STOPPING, STOPPED, FAILED, COMPLETED, UNKNOWN),
            STOPPING, Set.of(STOPPED, FAILED, UNKNOWN),
            STOPPED, Set.of(ABANDONED),
            FAILED, Set.of(ABANDONED),
            UNKNOWN, Set.of(FAILED, ABANDONED),
            COMPLETED, Set.of(),
            ABANDONED, Set.of());

    @Test
    void canBecome_everyPair_isAsWritten() {
        for (var from : BatchStatus.values()) {
            for (var to : BatchStatus.values()) {
                assertThat(from.canBecome(to))
                        .as("%s to %s", from, to)
                        .isEqualTo(ALLOWED.getOrDefault(from, Set.of()).contains(to));
            }
        }
    }

    @Test
    void partitionCanBecome_everyPair_isAsWritten() {
        var allowed = Map.of(
                PartitionStatus.PLANNED, Set.of(PartitionStatus.STARTED, PartitionStatus.STOPPED),
                PartitionStatus.STARTED,
                        Set.of(
                                PartitionStatus.COMPLETED,
                                PartitionStatus.STOPPED,
                                PartitionStatus.FAILED,
                                PartitionStatus.UNKNOWN));
        for (var from : PartitionStatus.values()) {
            for (var to : PartitionStatus.values()) {
                assertThat(from.canBecome(to))
                        .as("%s to %s", from, to)
                        .isEqualTo(allowed.getOrDefault(from, Set.of()).contains(to));
            }
        }
    }
}
