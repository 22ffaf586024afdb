package dev.weighlock.batch.jdbc.store;

import dev.weighlock.batch.BatchError;
import dev.weighlock.batch.BatchException;
import dev.weighlock.batch.JobExecution;
import dev.weighlock.batch.PartitionExecution;
import dev.weighlock.batch.StepExecution;
import dev.weighlock.batch.repository.RepositoryRefusals;
import dev.weighlock.batch.repository.RepositoryRules;
import java.sql.SQLException;

/** Says why a guarded write found no row to change. Runs in the transaction of that write. */
public final class Guard {
    private Guard() {}

    public static BatchException broken(Session session, JobExecution current) throws SQLException {
        var epoch = session.sql("SELECT epoch FROM job_execution WHERE id = :id")
                .bind("id", current.id())
                .first(row -> row.number("epoch"))
                .orElse(-1L);
        return broken(RepositoryRules.what(current), current.epoch(), epoch);
    }

    public static BatchException broken(Session session, StepExecution current) throws SQLException {
        return broken(RepositoryRules.what(current), current.epoch(), stepEpoch(session, current));
    }

    public static BatchException broken(Session session, StepExecution step, PartitionExecution current)
            throws SQLException {
        return broken(RepositoryRules.what(step, current), step.epoch(), stepEpoch(session, step));
    }

    private static long stepEpoch(Session session, StepExecution step) throws SQLException {
        return session.sql("SELECT epoch FROM step_execution WHERE id = :id")
                .bind("id", step.id())
                .first(row -> row.number("epoch"))
                .orElse(-1L);
    }

    private static BatchException broken(String what, long expected, long actual) {
        return actual < 0 ? RepositoryRefusals.unknown(what) : RepositoryRefusals.broken(what, expected, actual);
    }

    public static BatchException lost(Session session, JobExecution dead) throws SQLException {
        var why = broken(session, dead);
        return why.error() == BatchError.FENCED ? RepositoryRefusals.lost(dead.id()) : why;
    }
}
