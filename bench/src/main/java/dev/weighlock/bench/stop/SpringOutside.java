package dev.weighlock.bench.stop;

import dev.weighlock.bench.spring.SpringBatch;
import java.sql.SQLException;

/** Spring Batch, by its operator over the same tables. */
final class SpringOutside extends Outside {
    private final SpringBatch side;

    SpringOutside(Ground.Postgres ground) throws Exception {
        super(ground.connect());
        side = new SpringBatch(ground.place());
    }

    @Override
    String newestSql() {
        return "SELECT coalesce(max(job_execution_id), 0) FROM batch_job_execution";
    }

    @Override
    String lookSql() {
        String steps =
                "(SELECT count(*) FROM batch_step_execution s WHERE s.job_execution_id = e.job_execution_id AND ";
        return "SELECT status, " + steps + "status IN ('STARTING', 'STARTED', 'STOPPING')), " + steps
                + "status = 'COMPLETED') FROM batch_job_execution e WHERE job_execution_id = ?";
    }

    @Override
    void requestStop(long execution) throws Exception {
        side.stop(execution);
    }

    @Override
    public void close() throws SQLException {
        try (side) {
            super.close();
        }
    }
}
