package dev.weighlock.batch.jdbc.postgres;

import dev.weighlock.batch.BatchException;
import dev.weighlock.batch.JobExecution;
import dev.weighlock.batch.StepExecution;
import dev.weighlock.batch.jdbc.store.Guard;
import dev.weighlock.batch.jdbc.store.ReadBacks;
import dev.weighlock.batch.jdbc.store.Session;
import dev.weighlock.batch.jdbc.store.StepStore;
import dev.weighlock.batch.repository.EndedTogether;
import dev.weighlock.batch.repository.JobChange;
import dev.weighlock.batch.repository.RepositoryBounds;
import dev.weighlock.batch.repository.RepositoryRules;
import dev.weighlock.batch.repository.StepChange;
import java.sql.SQLException;

/**
 * Ends an execution with its last step, by one statement. The execution's row comes first, as everywhere: whoever takes it
 * over holds that row until he has changed the step too, so a step that looks unchanged once the row is ours is unchanged.
 */
record EndStore(PostgresDatabase database) {
    /** The last commit since a stop was seen is this one. */
    private static final String END = """
            WITH owner AS (
                UPDATE job_execution SET status = :jobStatus, exit_code = :jobExit, version = version + 1,
                    context = :jobContext, ended_at = {now},
                    last_commit_at = CASE WHEN stop_seen_at IS NOT NULL THEN {now} END,
                    diagnostics = coalesce(:jobDiagnostics, diagnostics)
                WHERE id = :job AND version = :jobVersion AND epoch = :epoch AND status = :jobCurrent
                    AND EXISTS (SELECT 1 FROM step_execution s
                                WHERE s.id = :id AND s.version = :version AND s.epoch = :epoch AND s.status = 'STARTED')
                RETURNING id, stop_actor, stop_requested_at, stop_seen_at, last_commit_at)
            UPDATE step_execution SET
            """ + StepStore.ENDING + """
            FROM owner
            WHERE step_execution.id = :id AND step_execution.execution_id = owner.id
                AND step_execution.version = :version AND step_execution.epoch = :epoch
                AND step_execution.status = 'STARTED'
            RETURNING step_execution.ended_at, owner.stop_actor, owner.stop_requested_at, owner.stop_seen_at,
                owner.last_commit_at
            """;

    EndedTogether end(StepExecution step, StepChange stepChange, JobExecution execution, JobChange change) {
        RepositoryRules.check(step, stepChange, execution, change);
        var bounded = StepStore.Bounded.of(stepChange);
        var context = RepositoryBounds.context(change.context());
        return database.writeOne(
                session -> StepStore.bind(session.sql(END), step, stepChange, bounded)
                        .bind("job", execution.id())
                        .bind("jobVersion", execution.version())
                        .bind("jobCurrent", execution.status())
                        .bind("jobStatus", change.status())
                        .bind("jobExit", change.exitStatus().code())
                        .bind("jobContext", context)
                        .bind("jobDiagnostics", change.diagnostics().map(RepositoryBounds::text))
                        .firstOr(
                                row -> {
                                    var ended = row.instant("ended_at");
                                    return new EndedTogether(
                                            RepositoryRules.ended(step, stepChange, ended),
                                            RepositoryRules.ended(execution, change, row.stop(execution.id()), ended));
                                },
                                () -> broken(session, step, execution)),
                ReadBacks.of(step, execution, change.status()));
    }

    /** The execution tells why, unless it is as it should be. */
    private static BatchException broken(Session session, StepExecution step, JobExecution execution)
            throws SQLException {
        boolean owned = session.sql("""
                        SELECT id FROM job_execution WHERE id = :id AND version = :version AND epoch = :epoch
                        """)
                .bind("id", execution.id())
                .bind("version", execution.version())
                .bind("epoch", execution.epoch())
                .first(row -> true)
                .isPresent();
        return owned ? Guard.broken(session, step) : Guard.broken(session, execution);
    }
}
