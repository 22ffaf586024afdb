package dev.weighlock.app.prove.stand;

import dev.weighlock.app.exit.CommandFailure;
import dev.weighlock.app.exit.ExitCode;
import dev.weighlock.batch.JobExecution;
import dev.weighlock.batch.repository.JobRepository;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * The rows that campaigns leave in a repository, known by their jobs' and nodes' names. Nothing else is removed: the
 * program's own purge works by age and would take other jobs' rows too.
 */
final class OwnRows {
    /** Begins the names of all jobs of all campaigns. */
    static final String JOBS = "weighlock-prove-";

    /** Begins the ids of all nodes of all campaigns. */
    static final String NODES = "weighlock-prove-";

    private static final String OUR_JOBS = "(SELECT id FROM job WHERE name LIKE ?)";
    private static final String OUR_INSTANCES = "(SELECT id FROM job_instance WHERE job_id IN " + OUR_JOBS + ")";

    /** Children first; each with one bound prefix. */
    private static final List<String> REMOVALS = List.of(
            "DELETE FROM audit_entry WHERE execution_id IN (SELECT id FROM job_execution WHERE job_id IN " + OUR_JOBS
                    + ")",
            "DELETE FROM hold WHERE instance_id IN " + OUR_INSTANCES,
            "DELETE FROM launch_request WHERE job_name LIKE ?",
            "DELETE FROM flow_decision WHERE instance_id IN " + OUR_INSTANCES,
            "DELETE FROM partition_execution WHERE step_execution_id IN (SELECT id FROM step_execution WHERE"
                    + " instance_id IN " + OUR_INSTANCES + ")",
            "DELETE FROM step_execution WHERE instance_id IN " + OUR_INSTANCES,
            "DELETE FROM job_execution WHERE job_id IN " + OUR_JOBS,
            "DELETE FROM job_instance WHERE job_id IN " + OUR_JOBS,
            "DELETE FROM job WHERE name LIKE ?",
            "DELETE FROM definition WHERE job_name LIKE ?",
            "DELETE FROM node WHERE id LIKE ? AND NOT EXISTS (SELECT 1 FROM job_execution WHERE owner_node = node.id)");

    private final Target target;

    OwnRows(Target target) {
        this.target = target;
    }

    /** The refusal while another campaign is there. */
    static CommandFailure another(Target target, String how) {
        return new CommandFailure(
                ExitCode.CONFLICT, "another campaign runs in " + target.url() + ": " + how, "wait until it is over");
    }

    /**
     * A process of a campaign that was killed may live on for a moment, when its turn is over.
     *
     * @throws CommandFailure CONFLICT while an execution of another campaign is owned by somebody alive
     * @throws dev.weighlock.batch.BatchException where the repository cannot be opened
     */
    void requireNobodyElse() throws SQLException {
        try (JobRepository repository = target.open(1)) {
            for (long id : active()) {
                if (repository.execution(id).filter(repository::isOwnerAlive).isPresent()) {
                    JobExecution running = repository.execution(id).orElseThrow();
                    throw another(
                            target,
                            "execution " + id + " of " + running.instance().name());
                }
            }
        }
    }

    private List<Long> active() throws SQLException {
        List<Long> ids = new ArrayList<>();
        try (Connection connection = target.connect();
                var select = connection.prepareStatement(
                        "SELECT id FROM job_execution WHERE ended_at IS NULL AND job_id IN " + OUR_JOBS)) {
            select.setString(1, JOBS + "%");
            try (var rows = select.executeQuery()) {
                while (rows.next()) {
                    ids.add(rows.getLong(1));
                }
            }
        }
        return ids;
    }

    /**
     * Removes them in one transaction; returns how many there were.
     *
     * @throws CommandFailure REFUSED where the user may not
     */
    long remove() {
        return remove(true);
    }

    /** Looks whether they may be removed, and leaves them. */
    void requireRights() {
        remove(false);
    }

    private long remove(boolean forGood) {
        try (Connection connection = target.connectForWriting()) {
            long removed = 0;
            for (String removal : REMOVALS) {
                try (var delete = connection.prepareStatement(removal)) {
                    delete.setString(1, (removal.startsWith("DELETE FROM node") ? NODES : JOBS) + "%");
                    removed += delete.executeUpdate();
                }
            }
            if (forGood) {
                connection.commit();
            } else {
                connection.rollback();
            }
            return removed;
        } catch (SQLException e) {
            throw new CommandFailure(
                    ExitCode.REFUSED,
                    "the rows of campaigns cannot be removed from " + target.url() + ": " + e.getMessage(),
                    "run it as the owner of the tables (weighlock_owner), who may remove rows",
                    e);
        }
    }
}
