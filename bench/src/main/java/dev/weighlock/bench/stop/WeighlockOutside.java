package dev.weighlock.bench.stop;

import dev.weighlock.batch.operate.JobOperator;
import dev.weighlock.batch.repository.JobRepository;
import java.sql.SQLException;

/** This runtime, by an operator that is no node. */
final class WeighlockOutside extends Outside {
    private final String schema;
    private final JobRepository repository;
    private final JobOperator operator;

    WeighlockOutside(Ground ground) throws SQLException {
        super(ground.connect());
        schema = ground.schema();
        repository = ground.open();
        operator = new JobOperator(repository);
    }

    @Override
    String newestSql() {
        return "SELECT coalesce(max(id), 0) FROM " + schema + "job_execution";
    }

    @Override
    String lookSql() {
        String steps = schema + "step_execution s";
        String parts = steps + " JOIN " + schema + "partition_execution p ON p.step_execution_id = s.id";
        return "SELECT status, (SELECT count(*) FROM " + parts
                + " WHERE s.execution_id = e.id AND p.status IN ('PLANNED', 'STARTED'))"
                + " + (SELECT count(*) FROM " + steps + " WHERE s.execution_id = e.id AND s.status = 'STARTED'),"
                + " (SELECT count(*) FROM " + parts + " WHERE s.execution_id = e.id AND p.status = 'COMPLETED')"
                + " + (SELECT coalesce(sum(commit_count), 0) FROM " + steps + " WHERE s.execution_id = e.id)"
                + " FROM " + schema + "job_execution e WHERE id = ?";
    }

    @Override
    void requestStop(long execution) {
        operator.stop(execution, "bench");
    }

    @Override
    public void close() throws SQLException {
        try (repository) {
            super.close();
        }
    }
}
