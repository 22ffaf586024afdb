package dev.weighlock.jobs.csv;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weighlock.batch.ExecutionContext;
import dev.weighlock.batch.step.StepContext;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CsvItemReaderTest {
    private static final List<CsvColumn> SCHEMA =
            List.of(new CsvColumn("id", ColumnType.parse("INTEGER").orElseThrow()));
    /** A reader asks nothing of it. */
    private static final StepContext NO_STEP = (StepContext) Proxy.newProxyInstance(
            StepContext.class.getClassLoader(), new Class<?>[] {StepContext.class}, (proxy, method, arguments) -> {
                throw new UnsupportedOperationException(method.getName());
            });

    @TempDir
    Path folder;

    @BeforeEach
    void writeFiles() throws IOException {
        Files.writeString(folder.resolve("a.csv"), "id\n1\n2\n");
        Files.writeString(folder.resolve("b.csv"), "id\n3\nx\n5\n");
        Files.writeString(folder.resolve("c.csv"), "id\n6\n");
    }

    private CsvItemReader open(ExecutionContext from, String... names) {
        List<Path> files = new ArrayList<>();
        for (String name : names) {
            files.add(folder.resolve(name));
        }
        CsvItemReader reader = new CsvItemReader(files, List.of(names), CsvFormat.DEFAULT, SCHEMA);
        reader.open(from, NO_STEP);
        return reader;
    }

    private static Object read(CsvItemReader reader) {
        CsvRow row = reader.read();
        return row == null ? "end" : String.valueOf(row.values().getFirst());
    }

    @Test
    void open_atEveryPosition_goesOnBehindIt() {
        List<String> all = List.of("1", "2", "3", "bad", "5", "6");
        for (int taken = 0; taken <= all.size(); taken++) {
            CsvItemReader first = open(ExecutionContext.EMPTY, "a.csv", "b.csv", "c.csv");
            take(first, taken);
            ExecutionContext position = first.update(ExecutionContext.EMPTY);
            first.close();
            CsvItemReader second = open(position, "a.csv", "b.csv", "c.csv");

            assertThat(take(second, 10)).isEqualTo(all.subList(taken, all.size()));
            second.close();
        }
    }

    private static List<String> take(CsvItemReader reader, int count) {
        List<String> taken = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            try {
                Object next = read(reader);
                if (next.equals("end")) {
                    return taken;
                }
                taken.add((String) next);
            } catch (CsvRecordException bad) {
                taken.add("bad");
            }
        }
        return taken;
    }

    @Test
    void open_afterAFileCameBetween_isRefused() {
        CsvItemReader first = open(ExecutionContext.EMPTY, "a.csv", "c.csv");
        take(first, 3);
        ExecutionContext position = first.update(ExecutionContext.EMPTY);
        first.close();

        assertThatThrownBy(() -> open(position, "a.csv", "b.csv", "c.csv"))
                .hasMessageContaining("the files are not those of the last attempt");
        assertThatThrownBy(() -> open(position, "b.csv", "c.csv"))
                .hasMessageContaining("the files are not those of the last attempt");
    }

    @Test
    void open_afterAFileCameBehind_readsItToo() {
        CsvItemReader first = open(ExecutionContext.EMPTY, "a.csv");
        take(first, 10);
        ExecutionContext position = first.update(ExecutionContext.EMPTY);
        first.close();
        try (AutoCloser second = new AutoCloser(open(position, "a.csv", "c.csv"))) {
            assertThat(take(second.reader(), 10)).containsExactly("6");
        }
    }

    private record AutoCloser(CsvItemReader reader) implements AutoCloseable {
        @Override
        public void close() {
            reader.close();
        }
    }

    @Test
    void read_fileThatCannotBeReadOn_failsAgainEachTime() throws IOException {
        Files.write(folder.resolve("a.csv"), new byte[] {'i', 'd', '\n', (byte) 0xFF, (byte) 0xFE, '\n'});
        CsvItemReader reader = open(ExecutionContext.EMPTY, "a.csv", "c.csv");

        assertThatThrownBy(reader::read).isInstanceOf(CsvException.class).isNotInstanceOf(CsvRecordException.class);
        assertThatThrownBy(reader::read).isInstanceOf(CsvException.class);
        reader.close();
    }
}
