package dev.weighlock.jobs.partition;

import dev.weighlock.batch.ExecutionContext;
import dev.weighlock.batch.FailureCategory;
import dev.weighlock.batch.partition.Partitioner;
import dev.weighlock.batch.partition.Partitioning;
import dev.weighlock.batch.repository.PlannedPartition;
import dev.weighlock.batch.step.StepContext;
import dev.weighlock.jobs.StepFailure;
import dev.weighlock.jobs.file.Budget;
import dev.weighlock.jobs.file.JobScope;
import dev.weighlock.jobs.file.SqlSource;
import dev.weighlock.jobs.query.Queries;
import dev.weighlock.jobs.query.QueryRun;
import dev.weighlock.jobs.query.StepQuery;
import dev.weighlock.jobs.value.ContextCodec;
import dev.weighlock.jobs.value.StepValues;
import dev.weighlock.jobs.value.ValueText;
import dev.weighlock.query.backend.QueryHandle;
import dev.weighlock.query.backend.QueryRequest;
import dev.weighlock.query.backend.QueryRows;
import dev.weighlock.query.engine.Row;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One partition a row: the first column is its key, all columns are its input. */
public final class SqlPartitioner implements Partitioner {
    private final StepQuery step;
    private final SqlSource sql;
    private final Queries queries;

    public SqlPartitioner(JobScope job, SqlSource sql, Queries queries) {
        this.step = new StepQuery(job);
        this.sql = sql;
        this.queries = queries;
    }

    @Override
    public List<PlannedPartition> plan(StepContext context) throws Exception {
        StepValues values = step.values(context);
        QueryRequest request = QueryRequest.select(step.text(sql.template(), values), values.bound(sql.template()))
                .with(StepQuery.limits(Budget.DEFAULT, OptionalLong.of(Partitioning.MAX_PARTITIONS), null));
        return switch (QueryRun.run(
                queries,
                step.scoped(request, context),
                sql,
                context.stopToken(),
                SqlPartitioner::read,
                QueryRun.Observer.NONE)) {
            case QueryRun.End.Done<List<PlannedPartition>> done -> done.value();
            // The plan is not stored then; a restart plans again.
            case QueryRun.End.Stopped<List<PlannedPartition>> _ ->
                throw new InterruptedException("stopped while the partitions were planned");
        };
    }

    private static List<PlannedPartition> read(QueryHandle handle) {
        List<PlannedPartition> plan = new ArrayList<>();
        Set<String> keys = new HashSet<>();
        try (QueryRows rows = handle.rows()) {
            for (Optional<Row> row = rows.next(); row.isPresent(); row = rows.next()) {
                PlannedPartition partition = partition(row.get(), plan.size() + 1);
                if (!keys.add(partition.key())) {
                    throw refused(plan.size() + 1, "has the key '%s' of an earlier row".formatted(partition.key()));
                }
                plan.add(partition);
            }
        }
        return plan;
    }

    private static PlannedPartition partition(Row row, int number) {
        Object key = row.value(0);
        if (key == null) {
            throw refused(number, "has NULL as its key");
        }
        Map<String, @Nullable Object> input = new LinkedHashMap<>();
        try {
            for (int i = 0; i < row.columns().size(); i++) {
                input.put(row.columns().get(i).name(), ContextCodec.encode(row.value(i)));
            }
        } catch (IllegalArgumentException notKept) {
            throw refused(number, "cannot be planned: " + notKept.getMessage());
        }
        return new PlannedPartition(ValueText.of(key), ExecutionContext.of(input));
    }

    private static StepFailure refused(int number, String what) {
        return new StepFailure(
                FailureCategory.DATA_ERROR, "row %d of the SQL under 'by' %s; correct the SQL".formatted(number, what));
    }
}
