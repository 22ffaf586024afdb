package dev.weighlock.batch.repository;

import dev.weighlock.batch.BatchStatus;
import dev.weighlock.batch.ExecutionContext;
import dev.weighlock.batch.ExitStatus;
import dev.weighlock.batch.FailureSummary;
import java.util.Optional;

/**
 * One lifecycle write of a job execution's owner. The repository stamps the instants: start on STARTED, the stop's
 * <em>seen</em> on STOPPING; on a status that is not active the end, and the stop's <em>last commit</em>: the latest
 * commit of a chunk, partition or step of this execution since the stop was seen.
 */
public record JobChange(
        BatchStatus status,
        ExitStatus exitStatus,
        ExecutionContext context,
        Optional<FailureSummary> failure,
        Optional<String> diagnostics) {}
