package dev.weighlock.bench.spring;

import dev.weighlock.bench.postgres.Sales;
import dev.weighlock.jobs.csv.CsvItemReader;
import dev.weighlock.jobs.csv.CsvRow;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.springframework.batch.infrastructure.item.ExecutionContext;
import org.springframework.batch.infrastructure.item.ItemStreamReader;

/** The same parser as on the other sides; its position is the number of records, as Spring Batch's own readers keep it. */
final class Records implements ItemStreamReader<CsvRow> {
    private final CsvItemReader reader;
    private long read;

    Records(Path csv) {
        reader = Sales.reader(csv);
    }

    @Override
    public void open(ExecutionContext context) {
        for (long done = context.getLong("records", 0); read < done && read() != null; ) {
            // Already written.
        }
    }

    @Override
    public @Nullable CsvRow read() {
        CsvRow row = reader.read();
        read += row == null ? 0 : 1;
        return row;
    }

    @Override
    public void update(ExecutionContext context) {
        context.putLong("records", read);
    }

    @Override
    public void close() {
        reader.close();
    }
}
