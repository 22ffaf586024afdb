package dev.weighlock.jobs.csv;

import dev.weighlock.batch.chunk.ItemReader;
import dev.weighlock.batch.step.StepContext;
import dev.weighlock.batch.testkit.contract.ItemReaderContract;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Rows over three files, of which the second has none. */
class CsvItemReaderContractTest extends ItemReaderContract<CsvRow> {
    private static final List<CsvColumn> SCHEMA =
            List.of(new CsvColumn("id", ColumnType.parse("INTEGER").orElseThrow()));
    private static final List<String> NAMES = List.of("a.csv", "b.csv", "c.csv");

    @TempDir
    Path folder;

    @BeforeEach
    void writeFiles() throws IOException {
        write("a.csv", 1, 12);
        write("b.csv", 1, 0);
        write("c.csv", 13, ITEMS);
    }

    private void write(String name, int first, int last) throws IOException {
        Files.writeString(
                folder.resolve(name),
                IntStream.rangeClosed(first, last)
                        .mapToObj(id -> id + "\n")
                        .collect(Collectors.joining("", "id\n", "")));
    }

    @Override
    protected ItemReader<CsvRow> reader(StepContext context) {
        return new CsvItemReader(NAMES.stream().map(folder::resolve).toList(), NAMES, CsvFormat.DEFAULT, SCHEMA);
    }

    @Override
    protected long number(CsvRow item) {
        return Long.parseLong(String.valueOf(item.values().getFirst()));
    }
}
