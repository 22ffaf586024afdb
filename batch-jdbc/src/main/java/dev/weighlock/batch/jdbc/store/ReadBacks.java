package dev.weighlock.batch.jdbc.store;

import dev.weighlock.batch.BatchStatus;
import dev.weighlock.batch.JobExecution;
import dev.weighlock.batch.PartitionExecution;
import dev.weighlock.batch.StepExecution;
import dev.weighlock.batch.jdbc.store.StoreDatabase.ReadBack;
import dev.weighlock.batch.repository.EndedTogether;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * How a guarded write whose answer was lost finds itself again: only the writer that held the guard could take the row
 * one version, or the claim's status or counts, further.
 */
public final class ReadBacks {
    private ReadBacks() {}

    /** Both or neither. */
    public static ReadBack<EndedTogether> of(StepExecution step, JobExecution execution, BatchStatus written) {
        return session -> {
            var ended = of(step).find(session);
            var over = of(execution, written).find(session);
            return ended.isPresent() && over.isPresent()
                    ? Optional.of(new EndedTogether(ended.get(), over.get()))
                    : Optional.empty();
        };
    }

    static ReadBack<JobExecution> of(JobExecution current, BatchStatus written) {
        return session -> Explorer.execution(session, current.id())
                .filter(stored -> stored.version() == current.version() + 1
                        && stored.epoch() == current.epoch()
                        && stored.status() == written);
    }

    static ReadBack<StepExecution> of(StepExecution current) {
        return session -> session.sql("SELECT * FROM step_execution WHERE id = :id")
                .bind("id", current.id())
                .first(Row::step)
                .filter(stored -> stored.version() == current.version() + 1 && stored.epoch() == current.epoch());
    }

    static ReadBack<PartitionExecution> of(PartitionExecution current, Predicate<PartitionExecution> written) {
        return session -> session.sql("SELECT * FROM partition_execution WHERE id = :id")
                .bind("id", current.id())
                .first(Row::partition)
                .filter(stored -> stored.claim() == current.claim() && written.test(stored));
    }
}
