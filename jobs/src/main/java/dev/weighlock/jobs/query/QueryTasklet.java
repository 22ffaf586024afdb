package dev.weighlock.jobs.query;

import dev.weighlock.batch.step.StepContext;
import dev.weighlock.batch.tasklet.Tasklet;
import dev.weighlock.batch.tasklet.TaskletOutcome;
import dev.weighlock.jobs.file.JobScope;
import dev.weighlock.jobs.file.OutputKeys;
import dev.weighlock.jobs.file.QueryKeys;
import dev.weighlock.jobs.output.WholeFile;
import dev.weighlock.jobs.sql.SqlTemplate;
import dev.weighlock.jobs.value.ContextCodec;
import dev.weighlock.jobs.value.StepValues;
import dev.weighlock.query.backend.QueryHandle;
import dev.weighlock.query.backend.QueryRequest;
import dev.weighlock.query.backend.QueryRows;
import dev.weighlock.query.backend.QuerySummary;
import dev.weighlock.query.engine.FileResult;
import dev.weighlock.query.engine.NestedValue;
import dev.weighlock.query.engine.Row;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs a query step. With an output it writes the file whole; without one its first rows go to the record, and the
 * columns of a single row to the step's context, where later steps find them.
 */
public final class QueryTasklet implements Tasklet {
    private static final Logger LOG = LoggerFactory.getLogger(QueryTasklet.class);

    private final StepQuery step;
    private final QueryKeys keys;
    private final Queries queries;

    public QueryTasklet(JobScope job, QueryKeys keys, Queries queries) {
        this.step = new StepQuery(job);
        this.keys = keys;
        this.queries = queries;
    }

    @Override
    public TaskletOutcome run(StepContext context) throws Exception {
        QueryEvidence evidence = new QueryEvidence();
        try {
            return keys.output().isPresent()
                    ? write(context, keys.output().get(), evidence)
                    : preview(context, evidence);
        } finally {
            context.evidence(evidence.json());
        }
    }

    private TaskletOutcome write(StepContext context, OutputKeys output, QueryEvidence evidence)
            throws InterruptedException {
        StepValues values = step.values(context);
        SqlTemplate sql = keys.sql().template();
        try (WholeFile file = step.prepare(output, context)) {
            QueryRequest request = step.scoped(
                    QueryRequest.writeFile(
                                    step.text(sql, values),
                                    values.bound(sql),
                                    StepQuery.format(output),
                                    file.temporary())
                            .with(StepQuery.limits(keys.budget(), keys.maxRows(), null)),
                    context);
            return switch (QueryRun.run(
                    queries, request, keys.sql(), context.stopToken(), QueryHandle::awaitFile, evidence::query)) {
                case QueryRun.End.Stopped<FileResult> _ -> TaskletOutcome.STOPPED;
                case QueryRun.End.Done<FileResult> done -> {
                    WholeFile.Published published = file.publish();
                    evidence.output(published, done.value().rows());
                    tellGuesses(request, done.summary(), context);
                    context.put("rows", done.value().rows());
                    context.put("path", published.path().toString());
                    context.put("sha256", published.sha256());
                    yield TaskletOutcome.COMPLETED;
                }
            };
        }
    }

    private TaskletOutcome preview(StepContext context, QueryEvidence evidence) throws InterruptedException {
        StepValues values = step.values(context);
        SqlTemplate sql = keys.sql().template();
        QueryRequest request = step.scoped(
                QueryRequest.select(step.text(sql, values), values.bound(sql))
                        .with(StepQuery.limits(keys.budget(), keys.maxRows(), Preview.MAX_ROWS + 1L)),
                context);
        return switch (QueryRun.run(
                queries, request, keys.sql(), context.stopToken(), QueryTasklet::read, evidence::query)) {
            case QueryRun.End.Stopped<Preview> _ -> TaskletOutcome.STOPPED;
            case QueryRun.End.Done<Preview> done -> {
                evidence.preview(done.value());
                tellGuesses(request, done.summary(), context);
                keepSingleRow(done.value(), context);
                yield TaskletOutcome.COMPLETED;
            }
        };
    }

    /** Once a step: its partitions read the same files. */
    private void tellGuesses(QueryRequest request, QuerySummary ended, StepContext context) {
        if (context.partition().isEmpty()) {
            GuessedCsv.notes(queries, request, ended)
                    .forEach(note -> LOG.warn("{}: {}", context.step().value(), note));
        }
    }

    private static Preview read(QueryHandle handle) {
        try (QueryRows rows = handle.rows()) {
            return Preview.of(rows);
        }
    }

    private static void keepSingleRow(Preview preview, StepContext context) {
        if (preview.rows().size() != 1 || preview.truncated()) {
            return;
        }
        Row row = preview.rows().getFirst();
        for (int i = 0; i < preview.columns().size(); i++) {
            String name = preview.columns().get(i).name();
            if (isKeepable(row.value(i)) && !name.startsWith("weighlock.")) {
                context.put(name, ContextCodec.encode(row.value(i)));
            }
        }
    }

    /** Long texts, lists and structs stay in the preview; a context is small. */
    private static boolean isKeepable(@Nullable Object value) {
        return switch (value) {
            case String text -> text.length() <= 4_000;
            case byte[] _, NestedValue _ -> false;
            case null, default -> true;
        };
    }
}
