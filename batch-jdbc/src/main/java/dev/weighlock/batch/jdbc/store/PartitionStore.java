package dev.weighlock.batch.jdbc.store;

import dev.weighlock.batch.FailureSummary;
import dev.weighlock.batch.PartitionExecution;
import dev.weighlock.batch.PartitionStatus;
import dev.weighlock.batch.StepCounts;
import dev.weighlock.batch.StepExecution;
import dev.weighlock.batch.jdbc.store.StoreDatabase.ReadBack;
import dev.weighlock.batch.jdbc.store.StoreDatabase.Work;
import dev.weighlock.batch.repository.ChunkProgress;
import dev.weighlock.batch.repository.EnlistedWrite;
import dev.weighlock.batch.repository.PartitionChange;
import dev.weighlock.batch.repository.PartitionTotals;
import dev.weighlock.batch.repository.PartitionTurn;
import dev.weighlock.batch.repository.RepositoryBounds;
import dev.weighlock.batch.repository.RepositoryRules;
import java.sql.SQLException;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

/** Partitions at work: claimed, committed, stopped and summed, all of a step's in one statement where possible. */
public final class PartitionStore {
    /**
     * The epoch's guard of a statement on partitions. It locks no row of the step: a take-over changes every partition
     * that is not over, and whoever waited for one of those finds its status changed.
     */
    private static final String OF_OWNED_STEP = """
            AND EXISTS (SELECT 1 FROM step_execution s WHERE s.id = :step AND s.epoch = :epoch AND s.ended_at IS NULL)
            """;

    private static final String GUARD = """
            WHERE id = :id AND claim = :claim AND status = 'STARTED' AND step_execution_id = :step
            """ + OF_OWNED_STEP;

    /** Once a chunk: nothing of the row comes back, for its owner knows what it wrote. */
    private static final String COMMIT = """
            UPDATE partition_execution SET context = :context, last_commit_at = {now},
            """ + Counts.ASSIGNMENTS + GUARD;

    private static final String END = """
            UPDATE partition_execution SET status = :status, exit_code = :exit, context = :context,
                ended_at = {now}, last_commit_at = {now},
                failure_category = :category, failure_id = :failure, diagnostics = :diagnostics,
                evidence = coalesce(:evidence, evidence),
            """ + Counts.ASSIGNMENTS + GUARD + "RETURNING ended_at";

    private final StoreDatabase database;

    public PartitionStore(StoreDatabase database) {
        this.database = database;
    }

    public List<PartitionExecution> claim(StepExecution step, int most) {
        var taken = new AtomicReference<List<PartitionExecution>>(List.of());
        return database.write(
                session -> {
                    taken.set(take(session, step, most));
                    if (taken.get().isEmpty()) {
                        requireOwned(session, step);
                    }
                    return taken.get();
                },
                session -> taken(session, taken.get()));
    }

    private static List<PartitionExecution> take(Session session, StepExecution step, int most) throws SQLException {
        var claimed = session.sql("""
                        UPDATE partition_execution SET status = 'STARTED', claim = claim + 1, started_at = {now}
                        WHERE status = 'PLANNED' AND id IN (
                            SELECT id FROM partition_execution
                            WHERE step_execution_id = :step AND status = 'PLANNED'
                            ORDER BY ordinal LIMIT :most)
                        """ + OF_OWNED_STEP + "RETURNING *")
                .bind("step", step.id())
                .bind("epoch", step.epoch())
                .bind("most", most)
                .list(Row::partition);
        return claimed.stream()
                .sorted(Comparator.comparingInt(PartitionExecution::ordinal))
                .toList();
    }

    /** All were taken by one commit: the first tells for all. */
    private static Optional<List<PartitionExecution>> taken(Session session, List<PartitionExecution> claimed)
            throws SQLException {
        if (claimed.isEmpty()) {
            return Optional.empty();
        }
        var first = claimed.getFirst();
        return ReadBacks.of(first, stored -> true).find(session).map(stored -> claimed);
    }

    /** Refuses a fenced or finished step. */
    private static void requireOwned(Session session, StepExecution step) throws SQLException {
        session.sql("SELECT id FROM step_execution WHERE id = :id AND epoch = :epoch AND ended_at IS NULL")
                .bind("id", step.id())
                .bind("epoch", step.epoch())
                .firstOr(row -> true, () -> Guard.broken(session, step));
    }

    public PartitionExecution update(
            StepExecution step, PartitionExecution current, PartitionChange change, EnlistedWrite write) {
        var end = new End(step, current, change);
        return Enlisted.write(database, write, end::write, end.readBack());
    }

    /** What is claimed must be known before the commit, so that a lost answer loses no partition. */
    public PartitionTurn updateAndClaim(
            StepExecution step,
            PartitionExecution current,
            PartitionChange change,
            EnlistedWrite write,
            IntSupplier most) {
        boolean alone = write.equals(EnlistedWrite.NONE);
        int wanted = alone ? most.getAsInt() : 0;
        if (alone && wanted == 0) {
            return new PartitionTurn(update(step, current, change, write), List.of());
        }
        var end = new End(step, current, change);
        var taken = new AtomicReference<List<PartitionExecution>>(List.of());
        Work<PartitionTurn> work = session -> {
            var ended = end.write(session);
            int more = alone ? wanted : most.getAsInt();
            taken.set(more > 0 ? take(session, step, more) : List.of());
            return new PartitionTurn(ended, taken.get());
        };
        ReadBack<PartitionTurn> committed =
                session -> end.readBack().find(session).map(ended -> new PartitionTurn(ended, taken.get()));
        return alone ? database.write(work, committed) : Enlisted.write(database, write, work, committed);
    }

    /** A partition's end on its way. */
    private record End(
            StepExecution step,
            PartitionExecution current,
            PartitionChange change,
            String context,
            Optional<String> evidence) {
        End(StepExecution step, PartitionExecution current, PartitionChange change) {
            RepositoryRules.check(current, change);
            this(
                    step,
                    current,
                    change,
                    RepositoryBounds.partitionContext(change.context()),
                    RepositoryBounds.evidence(change.evidence()));
        }

        PartitionExecution write(Session session) throws SQLException {
            return guarded(session, END, step, current, change.counts())
                    .bind("status", change.status())
                    .bind("exit", change.exitStatus().code())
                    .bind("context", context)
                    .bind("category", change.failure().map(FailureSummary::category))
                    .bind("failure", change.failure().map(FailureSummary::id))
                    .bind("diagnostics", change.diagnostics().map(RepositoryBounds::text))
                    .bind("evidence", evidence)
                    .firstOr(
                            row -> RepositoryRules.ended(current, change, row.instant("ended_at")),
                            () -> Guard.broken(session, step, current));
        }

        ReadBack<PartitionExecution> readBack() {
            return ReadBacks.of(current, stored -> stored.status() == change.status());
        }
    }

    public PartitionExecution commitChunk(
            StepExecution step, PartitionExecution current, Supplier<ChunkProgress> progress, EnlistedWrite write) {
        return Enlisted.write(
                database,
                write,
                session -> commit(session, step, current, progress.get()),
                ReadBacks.of(current, stored -> holds(stored, progress.get())));
    }

    private static PartitionExecution commit(
            Session session, StepExecution step, PartitionExecution current, ChunkProgress progress)
            throws SQLException {
        int changed = guarded(session, COMMIT, step, current, progress.counts())
                .bind("context", RepositoryBounds.partitionContext(progress.context()))
                .update();
        if (changed == 0) {
            throw Guard.broken(session, step, current);
        }
        return current.committed(progress.counts(), progress.context());
    }

    private static boolean holds(PartitionExecution stored, ChunkProgress progress) {
        return stored.counts().equals(progress.counts()) && stored.context().equals(progress.context());
    }

    private static Sql guarded(
            Session session, String update, StepExecution step, PartitionExecution current, StepCounts counts) {
        var sql = session.sql(update)
                .bind("id", current.id())
                .bind("claim", current.claim())
                .bind("step", step.id())
                .bind("epoch", step.epoch());
        return Counts.bind(sql, counts);
    }

    public long stopPlanned(StepExecution step) {
        return database.writeOne(
                session -> {
                    long stopped = session.sql("""
                                    UPDATE partition_execution
                                    SET status = 'STOPPED', exit_code = 'STOPPED', ended_at = {now}
                                    WHERE step_execution_id = :step AND status = 'PLANNED'
                                    """ + OF_OWNED_STEP)
                            .bind("step", step.id())
                            .bind("epoch", step.epoch())
                            .update();
                    if (stopped == 0) {
                        requireOwned(session, step);
                    }
                    return stopped;
                },
                ReadBack.none());
    }

    public PartitionTotals totals(StepExecution step) {
        return database.read(session -> {
            var byStatus = new EnumMap<PartitionStatus, Long>(PartitionStatus.class);
            var counts = session.sql("""
                            SELECT status, count(*) AS partitions,
                                sum(read_count) FILTER (WHERE NOT carried_over) AS read_count,
                                sum(process_count) FILTER (WHERE NOT carried_over) AS process_count,
                                sum(write_count) FILTER (WHERE NOT carried_over) AS write_count,
                                sum(filter_count) FILTER (WHERE NOT carried_over) AS filter_count,
                                sum(read_skip_count) FILTER (WHERE NOT carried_over) AS read_skip_count,
                                sum(process_skip_count) FILTER (WHERE NOT carried_over) AS process_skip_count,
                                sum(write_skip_count) FILTER (WHERE NOT carried_over) AS write_skip_count,
                                sum(commit_count) FILTER (WHERE NOT carried_over) AS commit_count,
                                sum(rollback_count) FILTER (WHERE NOT carried_over) AS rollback_count
                            FROM partition_execution WHERE step_execution_id = :step GROUP BY status
                            """).bind("step", step.id()).list(row -> {
                byStatus.put(PartitionStatus.valueOf(row.text("status")), row.number("partitions"));
                return row.counts();
            });
            return new PartitionTotals(byStatus, counts.stream().reduce(StepCounts.ZERO, StepCounts::plus));
        });
    }
}
