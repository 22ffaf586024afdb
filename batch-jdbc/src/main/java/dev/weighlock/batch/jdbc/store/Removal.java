package dev.weighlock.batch.jdbc.store;

import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** One short transaction of a purge: up to so many rows of instances that bear the mark, children first. */
final class Removal {
    private final Session session;
    private final int most;
    private long rows;

    Removal(Session session, int most) {
        this.session = session;
        this.most = most;
    }

    long run() throws SQLException {
        leaveLiveOnesAlone();
        remove("partition_execution", """
                JOIN step_execution s ON s.instance_id = i.id JOIN partition_execution r ON r.step_execution_id = s.id
                """);
        remove("step_execution", "JOIN step_execution r ON r.instance_id = i.id\n");
        remove("flow_decision", "JOIN flow_decision r ON r.instance_id = i.id\n");
        remove("hold", "JOIN hold r ON r.instance_id = i.id\n");
        remove("launch_request", """
                JOIN job_execution e ON e.instance_id = i.id JOIN launch_request r ON r.execution_id = e.id
                """);
        removeExecutions();
        removeInstances();
        return rows;
    }

    private void leaveLiveOnesAlone() throws SQLException {
        session.sql("""
                        SELECT e.id FROM job_execution e
                        WHERE e.instance_id IN (SELECT id FROM job_instance WHERE purging) {lock}
                        """).list(row -> row.number("id"));
        session.sql("""
                        UPDATE job_instance SET purging = :no WHERE purging AND EXISTS (
                            SELECT 1 FROM job_execution e WHERE e.instance_id = job_instance.id AND e.ended_at IS NULL)
                        """).bind("no", false).update();
    }

    private void remove(String table, String joins) throws SQLException {
        if (rows < most) {
            rows += session.sql("DELETE FROM " + table + " WHERE id IN (SELECT r.id FROM job_instance i " + joins
                            + "WHERE i.purging LIMIT :left)")
                    .bind("left", most - rows)
                    .update();
        }
    }

    private void removeExecutions() throws SQLException {
        if (rows >= most) {
            return;
        }
        var removed = counted(session.sql("""
                        DELETE FROM job_execution WHERE id IN (
                            SELECT e.id FROM job_instance i JOIN job_execution e ON e.instance_id = i.id
                            WHERE i.purging LIMIT :left)
                        RETURNING job_id
                        """).bind("left", most - rows).list(row -> row.number("job_id")));
        for (var job : removed.entrySet()) {
            session.sql("""
                            UPDATE job SET executions = executions - :count, last_execution_id = (
                                SELECT coalesce(max(e.id), 0) FROM job_execution e WHERE e.job_id = job.id)
                            WHERE id = :job
                            """)
                    .bind("job", job.getKey())
                    .bind("count", job.getValue())
                    .update();
        }
    }

    private void removeInstances() throws SQLException {
        if (rows >= most) {
            return;
        }
        var removed = counted(session.sql("""
                        DELETE FROM job_instance WHERE purging AND NOT EXISTS (
                            SELECT 1 FROM job_execution e WHERE e.instance_id = job_instance.id)
                        RETURNING job_id
                        """).list(row -> row.number("job_id")));
        for (var job : removed.entrySet()) {
            session.sql("UPDATE job SET instances = instances - :count WHERE id = :job")
                    .bind("job", job.getKey())
                    .bind("count", job.getValue())
                    .update();
        }
    }

    private Map<Long, Long> counted(List<Long> jobs) {
        rows += jobs.size();
        var counts = new HashMap<Long, Long>();
        jobs.forEach(job -> counts.merge(job, 1L, Long::sum));
        return counts;
    }
}
