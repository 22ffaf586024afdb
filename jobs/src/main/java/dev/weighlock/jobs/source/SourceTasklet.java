package dev.weighlock.jobs.source;

import dev.weighlock.batch.step.StepContext;
import dev.weighlock.batch.tasklet.Tasklet;
import dev.weighlock.batch.tasklet.TaskletOutcome;
import dev.weighlock.jobs.database.Databases;
import dev.weighlock.jobs.file.JobScope;
import dev.weighlock.jobs.file.SourceKeys;
import dev.weighlock.jobs.output.WholeFile;
import dev.weighlock.jobs.query.Queries;
import dev.weighlock.jobs.query.QueryEvidence;
import dev.weighlock.jobs.query.QueryRun;
import dev.weighlock.jobs.query.StepQuery;
import dev.weighlock.query.backend.QueryHandle;
import dev.weighlock.query.backend.QueryRequest;
import dev.weighlock.query.engine.FileResult;
import java.util.OptionalLong;

/** Runs a source step: a database's rows become a file through the engine, whole or not at all. */
public final class SourceTasklet implements Tasklet {
    private final StepQuery step;
    private final SourceKeys keys;
    private final Queries queries;
    private final Databases databases;

    public SourceTasklet(JobScope job, SourceKeys keys, Queries queries, Databases databases) {
        this.step = new StepQuery(job);
        this.keys = keys;
        this.queries = queries;
        this.databases = databases;
    }

    @Override
    public TaskletOutcome run(StepContext context) throws Exception {
        QueryEvidence evidence = new QueryEvidence();
        SourceStatement statement = SourceStatement.of(keys, step.values(context));
        try (WholeFile file = step.prepare(keys.output(), context);
                JdbcRowSource rows = new JdbcRowSource(databases.named(keys.connection()), statement)) {
            QueryRequest request = QueryRequest.importRows(rows, StepQuery.format(keys.output()), file.temporary())
                    .with(StepQuery.limits(keys.budget(), OptionalLong.empty(), null));
            return switch (QueryRun.run(
                    queries,
                    step.scoped(request, context),
                    keys.sql(),
                    context.stopToken(),
                    QueryHandle::awaitFile,
                    evidence::query)) {
                case QueryRun.End.Stopped<FileResult> _ -> TaskletOutcome.STOPPED;
                case QueryRun.End.Done<FileResult> done -> {
                    WholeFile.Published published = file.publish();
                    evidence.output(published, done.value().rows());
                    context.put("rows", done.value().rows());
                    context.put("path", published.path().toString());
                    context.put("sha256", published.sha256());
                    yield TaskletOutcome.COMPLETED;
                }
            };
        } finally {
            context.evidence(evidence.json());
        }
    }
}
