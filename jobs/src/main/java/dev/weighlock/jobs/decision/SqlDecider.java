package dev.weighlock.jobs.decision;

import dev.weighlock.batch.BatchException;
import dev.weighlock.batch.ExitStatus;
import dev.weighlock.batch.FailureCategory;
import dev.weighlock.batch.flow.Decider;
import dev.weighlock.batch.step.JobContext;
import dev.weighlock.jobs.StepFailure;
import dev.weighlock.jobs.file.Budget;
import dev.weighlock.jobs.file.JobScope;
import dev.weighlock.jobs.file.SqlSource;
import dev.weighlock.jobs.query.Queries;
import dev.weighlock.jobs.query.QueryRun;
import dev.weighlock.jobs.query.StepQuery;
import dev.weighlock.jobs.value.StepValues;
import dev.weighlock.query.backend.QueryHandle;
import dev.weighlock.query.backend.QueryRequest;
import dev.weighlock.query.backend.QueryRows;
import dev.weighlock.query.engine.Row;
import java.util.List;
import java.util.OptionalLong;

/** Decides by the one text that a statement gives. */
public final class SqlDecider implements Decider {
    private final String id;
    private final StepQuery step;
    private final SqlSource sql;
    private final Queries queries;

    public SqlDecider(String id, JobScope job, SqlSource sql, Queries queries) {
        this.id = id;
        this.step = new StepQuery(job);
        this.sql = sql;
        this.queries = queries;
    }

    @Override
    public String decide(JobContext context) throws Exception {
        StepValues values = StepValues.outside(context, step.job().stepIds());
        QueryRequest request = QueryRequest.select(step.text(sql.template(), values), values.bound(sql.template()))
                .with(StepQuery.limits(Budget.DEFAULT, OptionalLong.empty(), 2L));
        return switch (QueryRun.run(
                queries,
                step.scoped(request, id),
                sql,
                context.stopToken(),
                SqlDecider::read,
                QueryRun.Observer.NONE)) {
            case QueryRun.End.Done<List<Row>> done -> exitCode(done.value());
            case QueryRun.End.Stopped<List<Row>> _ -> throw new InterruptedException("stopped while deciding " + id);
        };
    }

    private static List<Row> read(QueryHandle handle) {
        try (QueryRows rows = handle.rows()) {
            return rows.toList();
        }
    }

    private String exitCode(List<Row> rows) {
        if (rows.size() != 1 || rows.getFirst().columns().size() != 1) {
            throw refused("gives %s instead of one text".formatted(rows.isEmpty() ? "no row" : "more than one value"));
        }
        if (!(rows.getFirst().value(0) instanceof String text)) {
            throw refused("gives no text; cast it to VARCHAR, and let it never be NULL");
        }
        try {
            return new ExitStatus(text).code();
        } catch (BatchException noCode) {
            throw refused("gives a text that is no exit code: 1 to 64 bytes, no blanks around it");
        }
    }

    private StepFailure refused(String what) {
        return new StepFailure(
                FailureCategory.DATA_ERROR,
                "%s:%d: the SQL of the decision '%s' %s"
                        .formatted(sql.file(), sql.textAt().line(), id, what));
    }
}
