package dev.weighlock.jobs.table;

import dev.weighlock.batch.chunk.Backoff;
import dev.weighlock.batch.chunk.ChunkProcessor;
import dev.weighlock.batch.chunk.Delivery;
import dev.weighlock.batch.chunk.InFlight;
import dev.weighlock.batch.chunk.ItemProcessor;
import dev.weighlock.batch.chunk.ItemWriter;
import dev.weighlock.batch.chunk.RetryPolicy;
import dev.weighlock.batch.chunk.SkipPhase;
import dev.weighlock.batch.chunk.SkipPolicy;
import dev.weighlock.batch.flow.ChunkStep;
import dev.weighlock.batch.jdbc.target.Database;
import dev.weighlock.batch.jdbc.target.JdbcWriter;
import dev.weighlock.batch.jdbc.target.RowLayout;
import dev.weighlock.batch.jdbc.target.TargetException;
import dev.weighlock.batch.jdbc.target.WriteMode;
import dev.weighlock.batch.step.StepContext;
import dev.weighlock.jobs.code.UserClasses;
import dev.weighlock.jobs.csv.CsvColumn;
import dev.weighlock.jobs.csv.CsvItemReader;
import dev.weighlock.jobs.csv.CsvRecordException;
import dev.weighlock.jobs.csv.CsvRow;
import dev.weighlock.jobs.database.Databases;
import dev.weighlock.jobs.file.ChunkKeys;
import dev.weighlock.jobs.file.JobScope;
import dev.weighlock.jobs.file.ProcessKeys;
import dev.weighlock.jobs.file.TableKeys;
import dev.weighlock.jobs.process.BadItem;
import dev.weighlock.jobs.process.ClassProcessor;
import dev.weighlock.jobs.process.ExpressionProcessor;
import dev.weighlock.jobs.query.Queries;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** A chunk step of a job file: delimited files into a table. */
public final class TableStep {
    /** A bad record or row may be skipped; a file that cannot be read on, or anything else, may not. */
    private static final List<Class<? extends Throwable>> SKIPPABLE =
            List.of(CsvRecordException.class, BadItem.class, SQLException.class, TargetException.class);

    private final CsvInput input;
    private final JobScope job;
    private final ChunkKeys keys;
    private final Databases databases;
    private final Queries queries;
    private final UserClasses classes;

    /** A step of these keys. */
    public TableStep(JobScope job, ChunkKeys keys, Databases databases, Queries queries, UserClasses classes) {
        this.input = new CsvInput(job, keys.read());
        this.job = job;
        this.keys = keys;
        this.databases = databases;
        this.queries = queries;
        this.classes = classes;
    }

    /** The step, without what every kind of step can say. */
    public ChunkStep.Builder<CsvRow, CsvRow> named(String id) {
        return parts(id)
                .size(keys.size())
                .delivery(delivery())
                .inFlight(
                        keys.inFlight() == ChunkKeys.InFlight.FINISH ? InFlight.FINISH_CHUNK : InFlight.ROLLBACK_CHUNK)
                .retry(keys.retry().map(this::retry).orElse(RetryPolicy.NONE))
                .skip(keys.skip().map(this::skip).orElse(SkipPolicy.NONE))
                .readAhead(keys.readAhead());
    }

    private ChunkStep.Builder<CsvRow, CsvRow> parts(String id) {
        if (keys.process().isEmpty()) {
            return ChunkStep.copying(id, this::reader, this::writer);
        }
        return switch (keys.process().get()) {
            case ProcessKeys.Expressions expressions ->
                ChunkStep.<CsvRow, CsvRow>processingChunks(
                        id, this::reader, context -> expressions(expressions, context), this::writer);
            case ProcessKeys.OfClass(String name) ->
                ChunkStep.<CsvRow, CsvRow>processing(id, this::reader, context -> ofClass(name, context), this::writer);
        };
    }

    private CsvItemReader reader(StepContext context) throws InterruptedException {
        return CsvItemReader.of(input.files(context), input::shown, input.format(), input.schema(context));
    }

    private ChunkProcessor<CsvRow, CsvRow> expressions(ProcessKeys.Expressions expressions, StepContext context)
            throws InterruptedException {
        return new ExpressionProcessor(job, expressions, input.schema(context), queries, context);
    }

    private ItemProcessor<CsvRow, CsvRow> ofClass(String name, StepContext context) throws InterruptedException {
        boolean namesClasses =
                keys.skip().filter(skip -> !skip.classes().isEmpty()).isPresent();
        return new ClassProcessor(classes.create(name, ItemProcessor.class), input.schema(context), !namesClasses);
    }

    private ItemWriter<CsvRow> writer(StepContext context) throws InterruptedException {
        List<CsvColumn> schema = input.schema(context);
        TableKeys table = keys.write();
        List<String> columns =
                keys.process().isPresent() && keys.process().get() instanceof ProcessKeys.Expressions expressions
                        ? ExpressionProcessor.columns(schema, expressions)
                        : schema.stream().map(CsvColumn::name).toList();
        JdbcWriter<CsvRow> rows = new JdbcWriter<>(
                new RowLayout(
                        table.table(), columns, WriteMode.valueOf(table.mode().name()), table.key()),
                CsvRow::values);
        return keys.delivery() == ChunkKeys.Delivery.ATOMIC ? rows : new OwnCommits(database(), rows);
    }

    private Database database() {
        return databases.named(keys.write().connection());
    }

    /** Opened with the first attempt: a job is defined without its databases at hand. */
    private Delivery delivery() {
        return keys.delivery() == ChunkKeys.Delivery.ATOMIC
                ? Delivery.withTarget(context -> database().chunkTarget())
                : Delivery.atLeastOnce();
    }

    private RetryPolicy retry(ChunkKeys.Retry retry) {
        return new RetryPolicy(
                retry.limit(),
                exceptions(retry.on()),
                new Backoff(retry.initial(), retry.max(), retry.factor(), retry.jitter()));
    }

    private SkipPolicy skip(ChunkKeys.Skip skip) {
        Set<SkipPhase> phases = skip.on().stream()
                .map(phase -> SkipPhase.valueOf(phase.name()))
                .collect(Collectors.toUnmodifiableSet());
        return new SkipPolicy(skip.limit(), phases, skip.classes().isEmpty() ? SKIPPABLE : exceptions(skip.classes()));
    }

    private List<Class<? extends Throwable>> exceptions(List<String> names) {
        List<Class<? extends Throwable>> found = new ArrayList<>();
        names.forEach(name -> found.add(classes.named(name, Throwable.class)));
        return found;
    }
}
