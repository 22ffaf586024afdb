package dev.weighlock.jobs.csv;

import de.siegmar.fastcsv.reader.AbstractBaseCsvCallbackHandler;
import de.siegmar.fastcsv.reader.CloseableIterator;
import de.siegmar.fastcsv.reader.CsvParseException;
import de.siegmar.fastcsv.reader.CsvReader;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PushbackReader;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/** The records of one file, one after the other. For one thread; closed by whoever opened it. */
final class CsvRecords implements AutoCloseable {
    private static final int BUFFER = 1 << 16;
    private static final char BYTE_ORDER_MARK = '\uFEFF';

    private final String shownName;
    private final CloseableIterator<CsvRecord> iterator;
    private long lastLine;

    private CsvRecords(String shownName, CloseableIterator<CsvRecord> iterator) {
        this.shownName = shownName;
        this.iterator = iterator;
    }

    /**
     * Opens a file.
     *
     * @throws CsvException where it cannot be opened
     */
    static CsvRecords open(Path file, String shownName, CsvFormat format) {
        try {
            Reader reader = reader(file, format);
            // Field counts are checked here, against the schema, so that one bad record can be skipped.
            CsvReader<CsvRecord> csv = CsvReader.builder()
                    .fieldSeparator(format.delimiter())
                    .quoteCharacter(format.quote())
                    .skipEmptyLines(true)
                    .allowExtraFields(true)
                    .allowMissingFields(true)
                    .build(new Handler(), reader);
            return new CsvRecords(shownName, csv.iterator());
        } catch (NoSuchFileException missing) {
            throw new CsvException("the file %s does not exist; check its name".formatted(shownName), missing);
        } catch (IOException unreadable) {
            throw new CsvException(
                    "the file %s cannot be read; check its rights and that it is whole".formatted(shownName),
                    unreadable);
        }
    }

    private static Reader reader(Path file, CsvFormat format) throws IOException {
        InputStream bytes = new BufferedInputStream(Files.newInputStream(file), BUFFER);
        try {
            InputStream plain = format.isGzip(file) ? new GZIPInputStream(bytes, BUFFER) : bytes;
            // A decoder of its own reports bad bytes; by its name alone the charset would replace them silently.
            PushbackReader reader = new PushbackReader(
                    new InputStreamReader(plain, format.encoding().newDecoder()));
            int first = reader.read();
            if (first >= 0 && first != BYTE_ORDER_MARK) {
                reader.unread(first);
            }
            return reader;
        } catch (IOException | RuntimeException failure) {
            bytes.close();
            throw failure;
        }
    }

    /**
     * The next record; empty at the end.
     *
     * @throws CsvException where the file cannot be read on
     */
    Optional<CsvRecord> next() {
        try {
            if (!iterator.hasNext()) {
                return Optional.empty();
            }
            CsvRecord record = iterator.next();
            lastLine = record.line();
            return Optional.of(record);
        } catch (CsvParseException broken) {
            throw new CsvException(
                    "%s:%d: %s; correct the file".formatted(shownName, lastLine + 1, reason(broken)), broken);
        } catch (UncheckedIOException unreadable) {
            throw new CsvException(
                    "%s:%d: the file cannot be read on; check its encoding and that it is whole"
                            .formatted(shownName, lastLine + 1),
                    unreadable);
        }
    }

    /** A field that is too long may be one whose quote never ends: nobody can tell which. */
    private static String reason(CsvParseException broken) {
        Throwable deepest = broken;
        while (deepest.getCause() != null) {
            deepest = deepest.getCause();
        }
        return String.valueOf(deepest.getMessage()).contains("buffer size")
                ? "a field is longer than 16 MiB, or its quote never ends"
                : "the quotes are not right from here on";
    }

    @Override
    public void close() {
        try {
            iterator.close();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** Collects the fields of a record. */
    private static final class Handler extends AbstractBaseCsvCallbackHandler<CsvRecord> {
        private List<@Nullable String> fields = new ArrayList<>();

        @Override
        protected void handleBegin(long startingLineNumber) {
            fields = new ArrayList<>();
        }

        @Override
        protected void handleField(int fieldIdx, char[] buf, int offset, int len, boolean quoted) {
            fields.add(len == 0 && !quoted ? null : new String(buf, offset, len));
        }

        @Override
        protected CsvRecord buildRecord() {
            return new CsvRecord(getStartingLineNumber(), fields);
        }
    }
}
