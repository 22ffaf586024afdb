package dev.weighlock.jobs.csv;

import dev.weighlock.batch.ExecutionContext;
import dev.weighlock.batch.chunk.ItemReader;
import dev.weighlock.batch.step.StepContext;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The rows of several files, one file after the other, restarting behind the last committed record. A bad record is an
 * exception and the next call goes on behind it; a file that cannot be read on is one for good. Of one thread at a time.
 */
public final class CsvItemReader implements ItemReader<CsvRow> {
    private final List<Path> files;
    private final List<String> names;
    private final CsvFormat format;
    private final List<CsvColumn> schema;
    private CsvPosition position = CsvPosition.START;
    private @Nullable CsvFileRows rows;
    private @Nullable CsvException broken;

    /**
     * Opens nothing yet.
     *
     * @param names of the files as the user knows them, in the same order
     */
    public CsvItemReader(List<Path> files, List<String> names, CsvFormat format, List<CsvColumn> schema) {
        this.files = List.copyOf(files);
        this.names = List.copyOf(names);
        this.format = format;
        this.schema = List.copyOf(schema);
    }

    /** A reader of files whose names are made by {@code shown}. */
    public static CsvItemReader of(
            List<Path> files, Function<Path, String> shown, CsvFormat format, List<CsvColumn> schema) {
        return new CsvItemReader(files, files.stream().map(shown).toList(), format, schema);
    }

    @Override
    public void open(ExecutionContext context, StepContext step) {
        CsvPosition last = CsvPosition.of(context);
        CsvPosition now = CsvPosition.START;
        while (now.filesDone() < last.filesDone() && now.filesDone() < names.size()) {
            now = now.fileDone(names.get((int) now.filesDone()));
        }
        boolean sameFiles = now.digest().equals(last.digest())
                && (last.file().isEmpty() || last.file().equals(nameAt(now.filesDone())));
        if (!sameFiles) {
            throw new CsvException("the files are not those of the last attempt, which read %d of them and then '%s'; "
                            .formatted(last.filesDone(), last.file())
                    + "restore them under their names");
        }
        position = last;
        if (last.records() > 0) {
            current().skip(last.records());
        }
    }

    private String nameAt(long file) {
        return file < names.size() ? names.get((int) file) : "";
    }

    @Override
    public @Nullable CsvRow read() {
        if (broken != null) {
            throw broken;
        }
        try {
            while (position.filesDone() < files.size()) {
                Optional<CsvRow> row = current().next();
                if (row.isPresent()) {
                    return row.get();
                }
                fileDone();
            }
            return null;
        } catch (CsvRecordException oneBadRecord) {
            throw oneBadRecord;
        } catch (CsvException forGood) {
            broken = forGood;
            throw forGood;
        }
    }

    private CsvFileRows current() {
        CsvFileRows open = rows;
        if (open == null) {
            int file = (int) position.filesDone();
            open = CsvFileRows.open(files.get(file), names.get(file), format, schema);
            rows = open;
        }
        return open;
    }

    private void fileDone() {
        close();
        position = position.fileDone(nameAt(position.filesDone()));
    }

    @Override
    public ExecutionContext update(ExecutionContext context) {
        CsvFileRows open = rows;
        CsvPosition now = open == null
                ? position
                : new CsvPosition(
                        position.filesDone(), position.digest(), nameAt(position.filesDone()), open.recordsRead());
        return now.in(context);
    }

    @Override
    public void close() {
        if (rows != null) {
            rows.close();
            rows = null;
        }
    }
}
