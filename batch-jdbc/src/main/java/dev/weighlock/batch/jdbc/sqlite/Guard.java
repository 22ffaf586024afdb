package dev.weighlock.batch.jdbc.sqlite;

import dev.weighlock.batch.BatchError;
import dev.weighlock.batch.BatchException;
import dev.weighlock.batch.JobExecution;
import dev.weighlock.batch.PartitionExecution;
import dev.weighlock.batch.StepExecution;
import java.sql.Connection;
import java.sql.SQLException;

/** Says why a guarded write found no row to change. Runs in the transaction of that write. */
final class Guard {
    private Guard() {}

    static BatchException broken(Connection connection, JobExecution current) throws SQLException {
        var epoch = Sql.of(connection, "SELECT epoch FROM job_execution WHERE id = :id")
                .bind("id", current.id())
                .first(row -> row.number("epoch"));
        var what = "execution " + current.id();
        return epoch.isEmpty() ? unknown(what) : broken(what, current.epoch(), epoch.get());
    }

    static BatchException broken(Connection connection, StepExecution current) throws SQLException {
        var epoch = stepEpoch(connection, current);
        var what = "step execution " + current.id() + " (" + current.name() + ")";
        return epoch < 0 ? unknown(what) : broken(what, current.epoch(), epoch);
    }

    static BatchException broken(Connection connection, StepExecution step, PartitionExecution current)
            throws SQLException {
        var epoch = stepEpoch(connection, step);
        var what = "partition " + current.key() + " of step execution " + step.id();
        return epoch < 0 ? unknown(what) : broken(what, step.epoch(), epoch);
    }

    private static long stepEpoch(Connection connection, StepExecution step) throws SQLException {
        return Sql.of(connection, "SELECT epoch FROM step_execution WHERE id = :id")
                .bind("id", step.id())
                .first(row -> row.number("epoch"))
                .orElse(-1L);
    }

    private static BatchException broken(String what, long expected, long actual) {
        return expected == actual
                ? new BatchException(BatchError.STALE_VERSION, what + " was changed by somebody else: read it again")
                : new BatchException(
                        BatchError.FENCED,
                        what + " was taken over: its epoch is " + actual + ", this writer's " + expected);
    }

    private static BatchException unknown(String what) {
        return new BatchException(BatchError.NOT_FOUND, what + " is not in the repository");
    }

    /** Of two that take over, the loser did not own the execution before: it is not fenced, it came late. */
    static BatchException lost(Connection connection, JobExecution dead) throws SQLException {
        var why = broken(connection, dead);
        return why.error() != BatchError.FENCED
                ? why
                : new BatchException(
                        BatchError.STALE_VERSION, "execution " + dead.id() + " was taken over by somebody else first");
    }

    static BatchException illegal(String what, Object from, Object to) {
        return new BatchException(BatchError.ILLEGAL_TRANSITION, what + " cannot become " + to + ": it is " + from);
    }

    static BatchException noFailure(String what) {
        return new BatchException(BatchError.ILLEGAL_TRANSITION, what + " cannot become FAILED without a failure");
    }
}
