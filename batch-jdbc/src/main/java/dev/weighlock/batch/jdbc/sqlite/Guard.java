package dev.weighlock.batch.jdbc.sqlite;

import dev.weighlock.batch.BatchError;
import dev.weighlock.batch.BatchException;
import dev.weighlock.batch.JobExecution;
import dev.weighlock.batch.PartitionExecution;
import dev.weighlock.batch.StepExecution;
import dev.weighlock.batch.repository.RepositoryRefusals;
import dev.weighlock.batch.repository.RepositoryRules;
import java.sql.Connection;
import java.sql.SQLException;

/** Says why a guarded write found no row to change. Runs in the transaction of that write. */
final class Guard {
    private Guard() {}

    static BatchException broken(Connection connection, JobExecution current) throws SQLException {
        var epoch = Sql.of(connection, "SELECT epoch FROM job_execution WHERE id = :id")
                .bind("id", current.id())
                .first(row -> row.number("epoch"))
                .orElse(-1L);
        return broken(RepositoryRules.what(current), current.epoch(), epoch);
    }

    static BatchException broken(Connection connection, StepExecution current) throws SQLException {
        return broken(RepositoryRules.what(current), current.epoch(), stepEpoch(connection, current));
    }

    static BatchException broken(Connection connection, StepExecution step, PartitionExecution current)
            throws SQLException {
        return broken(RepositoryRules.what(step, current), step.epoch(), stepEpoch(connection, step));
    }

    private static long stepEpoch(Connection connection, StepExecution step) throws SQLException {
        return Sql.of(connection, "SELECT epoch FROM step_execution WHERE id = :id")
                .bind("id", step.id())
                .first(row -> row.number("epoch"))
                .orElse(-1L);
    }

    private static BatchException broken(String what, long expected, long actual) {
        return actual < 0 ? RepositoryRefusals.unknown(what) : RepositoryRefusals.broken(what, expected, actual);
    }

    static BatchException lost(Connection connection, JobExecution dead) throws SQLException {
        var why = broken(connection, dead);
        return why.error() == BatchError.FENCED ? RepositoryRefusals.lost(dead.id()) : why;
    }
}
