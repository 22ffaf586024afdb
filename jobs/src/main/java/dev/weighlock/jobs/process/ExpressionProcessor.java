package dev.weighlock.jobs.process;

import dev.weighlock.batch.FailureCategory;
import dev.weighlock.batch.chunk.ChunkProcessor;
import dev.weighlock.batch.step.StepContext;
import dev.weighlock.batch.stop.StopToken;
import dev.weighlock.jobs.StepFailure;
import dev.weighlock.jobs.csv.CsvColumn;
import dev.weighlock.jobs.csv.CsvRow;
import dev.weighlock.jobs.file.Budget;
import dev.weighlock.jobs.file.JobScope;
import dev.weighlock.jobs.file.ProcessKeys;
import dev.weighlock.jobs.file.SqlSource;
import dev.weighlock.jobs.query.Queries;
import dev.weighlock.jobs.query.QueryRun;
import dev.weighlock.jobs.query.StepQuery;
import dev.weighlock.jobs.value.StepValues;
import dev.weighlock.query.backend.QueryHandle;
import dev.weighlock.query.backend.QueryRequest;
import dev.weighlock.query.backend.QueryRows;
import dev.weighlock.query.engine.Row;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Runs SQL expressions over a chunk's items, one query a chunk. Of one step or partition attempt. */
public final class ExpressionProcessor implements ChunkProcessor<CsvRow, CsvRow> {
    private final StepQuery step;
    private final ProcessKeys.Expressions keys;
    private final List<CsvColumn> schema;
    private final Queries queries;
    private final StepContext context;
    private final StepValues values;
    private final String sql;

    public ExpressionProcessor(
            JobScope job, ProcessKeys.Expressions keys, List<CsvColumn> schema, Queries queries, StepContext context) {
        this.step = new StepQuery(job);
        this.keys = keys;
        this.schema = List.copyOf(schema);
        this.queries = queries;
        this.context = context;
        this.values = step.values(context);
        this.sql = ExpressionSql.of(this.schema, keys, source -> step.text(source.template(), values));
    }

    /** The columns of its results: those of the items, then those that are added. */
    public static List<String> columns(List<CsvColumn> schema, ProcessKeys.Expressions keys) {
        return Stream.concat(schema.stream().map(CsvColumn::name), keys.set().keySet().stream())
                .distinct()
                .toList();
    }

    @Override
    public List<@Nullable CsvRow> process(List<CsvRow> items) throws InterruptedException {
        Map<String, @Nullable Object> bound = new LinkedHashMap<>();
        sources().forEach(source -> bound.putAll(values.bound(source.template())));
        bound.put(ExpressionSql.ITEMS, ExpressionSql.items(items));
        QueryRequest request =
                QueryRequest.select(sql, bound).with(StepQuery.limits(Budget.DEFAULT, OptionalLong.empty(), null));
        return results(items, rows(step.scoped(request, context)));
    }

    private Stream<SqlSource> sources() {
        return Stream.concat(keys.where().stream(), keys.set().values().stream());
    }

    /** A stop does not cancel it: whether the chunk under way is finished, the step's policy says. */
    private List<Row> rows(QueryRequest request) throws InterruptedException {
        SqlSource first = sources().findFirst().orElseThrow();
        try {
            return switch (QueryRun.run(
                    queries, request, first, StopToken.never(), ExpressionProcessor::read, QueryRun.Observer.NONE)) {
                case QueryRun.End.Done<List<Row>> done -> done.value();
                case QueryRun.End.Stopped<List<Row>> _ -> throw new InterruptedException("stopped");
            };
        } catch (StepFailure failure) {
            // The engine counts the lines of the whole statement; the user wrote parts of it.
            String place = first.file() + ":" + first.textAt().line() + ": ";
            String message = String.valueOf(failure.getMessage());
            String text = place
                    + (message.startsWith(first.file() + ":")
                            ? message.substring(first.file().length() + 1).replaceFirst("^\\d+: ", "")
                            : message);
            if (failure.failureCategory() == FailureCategory.DATA_ERROR) {
                throw new BadItem(text, failure);
            }
            throw new StepFailure(failure.failureCategory(), text, failure);
        }
    }

    private static List<Row> read(QueryHandle handle) {
        try (QueryRows rows = handle.rows()) {
            return rows.toList();
        }
    }

    private List<@Nullable CsvRow> results(List<CsvRow> items, List<Row> rows) {
        List<@Nullable CsvRow> results = new ArrayList<>(items.size());
        int at = 0;
        for (int n = 0; n < items.size(); n++) {
            boolean kept = at < rows.size() && Integer.valueOf(n).equals(number(rows.get(at)));
            results.add(kept ? changed(items.get(n), rows.get(at)) : null);
            at += kept ? 1 : 0;
        }
        return results;
    }

    private static @Nullable Integer number(Row row) {
        return row.value(0) instanceof Number number ? number.intValue() : null;
    }

    private CsvRow changed(CsvRow item, Row row) {
        Map<String, @Nullable Object> columns = new LinkedHashMap<>();
        for (int i = 0; i < schema.size(); i++) {
            columns.put(schema.get(i).name(), item.values().get(i));
        }
        int column = 1;
        for (String name : keys.set().keySet()) {
            columns.put(name, row.value(column++));
        }
        return new CsvRow(item.file(), item.line(), new ArrayList<>(columns.values()));
    }
}
