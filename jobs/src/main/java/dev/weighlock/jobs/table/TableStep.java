package dev.weighlock.jobs.table;

import dev.weighlock.batch.chunk.Backoff;
import dev.weighlock.batch.chunk.Delivery;
import dev.weighlock.batch.chunk.InFlight;
import dev.weighlock.batch.chunk.RetryPolicy;
import dev.weighlock.batch.chunk.SkipPhase;
import dev.weighlock.batch.chunk.SkipPolicy;
import dev.weighlock.batch.flow.ChunkStep;
import dev.weighlock.batch.jdbc.target.JdbcWriter;
import dev.weighlock.batch.jdbc.target.RowLayout;
import dev.weighlock.batch.jdbc.target.TargetException;
import dev.weighlock.batch.jdbc.target.WriteMode;
import dev.weighlock.batch.step.StepContext;
import dev.weighlock.jobs.csv.CsvColumn;
import dev.weighlock.jobs.csv.CsvItemReader;
import dev.weighlock.jobs.csv.CsvRecordException;
import dev.weighlock.jobs.csv.CsvRow;
import dev.weighlock.jobs.database.Databases;
import dev.weighlock.jobs.file.ChunkKeys;
import dev.weighlock.jobs.file.JobFile;
import dev.weighlock.jobs.file.TableKeys;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** A chunk step of a job file: delimited files into a table. */
public final class TableStep {
    /** A bad record or row may be skipped; a file that cannot be read on, or anything else, may not. */
    private static final List<Class<? extends Throwable>> SKIPPABLE =
            List.of(CsvRecordException.class, SQLException.class, TargetException.class);

    private TableStep() {}

    /** The step, without what every kind of step can say. */
    public static ChunkStep.Builder<CsvRow, CsvRow> of(String id, JobFile job, ChunkKeys keys, Databases databases) {
        CsvInput input = new CsvInput(job, keys.read());
        ChunkStep.Builder<CsvRow, CsvRow> step = ChunkStep.copying(
                id, context -> reader(input, context), context -> writer(input, keys.write(), context));
        return step.size(keys.size())
                .delivery(delivery(keys, databases))
                .inFlight(
                        keys.inFlight() == ChunkKeys.InFlight.FINISH ? InFlight.FINISH_CHUNK : InFlight.ROLLBACK_CHUNK)
                .retry(keys.retry().map(TableStep::retry).orElse(RetryPolicy.NONE))
                .skip(keys.skip().map(TableStep::skip).orElse(SkipPolicy.NONE))
                .readAhead(keys.readAhead());
    }

    private static CsvItemReader reader(CsvInput input, StepContext context) {
        return CsvItemReader.of(input.files(context), input::shown, input.format(), input.schema(context));
    }

    private static JdbcWriter<CsvRow> writer(CsvInput input, TableKeys table, StepContext context) {
        List<String> columns =
                input.schema(context).stream().map(CsvColumn::name).toList();
        return new JdbcWriter<>(
                new RowLayout(
                        table.table(), columns, WriteMode.valueOf(table.mode().name()), table.key()),
                CsvRow::values);
    }

    /** Opened with the first attempt: a job is defined without its databases at hand. */
    private static Delivery delivery(ChunkKeys keys, Databases databases) {
        String connection = keys.write().connection();
        return Delivery.withTarget(context -> databases.named(connection).chunkTarget());
    }

    private static RetryPolicy retry(ChunkKeys.Retry retry) {
        return RetryPolicy.of(retry.limit(), new Backoff(retry.initial(), retry.max(), retry.factor(), retry.jitter()));
    }

    private static SkipPolicy skip(ChunkKeys.Skip skip) {
        Set<SkipPhase> phases = skip.on().stream()
                .map(phase -> SkipPhase.valueOf(phase.name()))
                .collect(Collectors.toUnmodifiableSet());
        return new SkipPolicy(skip.limit(), phases, SKIPPABLE);
    }
}
