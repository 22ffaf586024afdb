package dev.weighlock.jobs.csv;

import java.nio.file.Path;
import java.time.DateTimeException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The rows of one file under a schema. For one thread; closed by whoever opened it. */
final class CsvFileRows implements AutoCloseable {
    private static final int SHOWN = 60;

    private final String shownName;
    private final List<CsvColumn> schema;
    private final CsvRecords records;
    /** Place in the record of each column of the schema. */
    private final int[] places;

    private final int fieldCount;
    private long recordsRead;

    private CsvFileRows(String shownName, List<CsvColumn> schema, CsvRecords records, int[] places, int fieldCount) {
        this.shownName = shownName;
        this.schema = schema;
        this.records = records;
        this.places = places;
        this.fieldCount = fieldCount;
    }

    /**
     * Opens a file; with a header, the schema's columns are found by their names and others are left out.
     *
     * @throws CsvException where the file cannot be read or lacks a column
     */
    static CsvFileRows open(Path file, String shownName, CsvFormat format, List<CsvColumn> schema) {
        CsvRecords records = CsvRecords.open(file, shownName, format);
        try {
            if (!format.header()) {
                int[] inOrder = new int[schema.size()];
                Arrays.setAll(inOrder, i -> i);
                return new CsvFileRows(shownName, schema, records, inOrder, schema.size());
            }
            List<@Nullable String> header =
                    records.next().map(CsvRecord::fields).orElse(List.of());
            return new CsvFileRows(shownName, schema, records, places(shownName, header, schema), header.size());
        } catch (RuntimeException failure) {
            records.close();
            throw failure;
        }
    }

    private static int[] places(String shownName, List<@Nullable String> header, List<CsvColumn> schema) {
        Map<String, Integer> byName = new HashMap<>();
        for (int i = 0; i < header.size(); i++) {
            String name = header.get(i);
            if (name != null) {
                byName.putIfAbsent(name.strip(), i);
            }
        }
        int[] places = new int[schema.size()];
        for (int i = 0; i < places.length; i++) {
            Integer place = byName.get(schema.get(i).name());
            if (place == null && !header.isEmpty()) {
                throw new CsvException(
                        "%s:1: the header has no column '%s'; correct the header, the delimiter or the schema"
                                .formatted(shownName, schema.get(i).name()));
            }
            places[i] = place == null ? i : place;
        }
        return places;
    }

    /** Records taken so far, the bad ones too, the header not. */
    long recordsRead() {
        return recordsRead;
    }

    /** Passes over records without looking at their values. */
    void skip(long count) {
        for (long i = 0; i < count; i++) {
            if (records.next().isEmpty()) {
                throw new CsvException("the file %s has fewer than the %d records that were already read; restore it"
                        .formatted(shownName, count));
            }
            recordsRead++;
        }
    }

    /**
     * The next row; empty at the end.
     *
     * @throws CsvRecordException where this record is bad; the next call goes on behind it
     * @throws CsvException where the file cannot be read on
     */
    Optional<CsvRow> next() {
        Optional<CsvRecord> record = records.next();
        if (record.isEmpty()) {
            return Optional.empty();
        }
        recordsRead++;
        return Optional.of(row(record.get()));
    }

    private CsvRow row(CsvRecord record) {
        if (record.fields().size() != fieldCount) {
            throw new CsvRecordException("%s:%d: the record has %d fields instead of %d; correct it"
                    .formatted(shownName, record.line(), record.fields().size(), fieldCount));
        }
        List<@Nullable Object> values = new ArrayList<>(schema.size());
        for (int i = 0; i < places.length; i++) {
            String text = record.fields().get(places[i]);
            values.add(text == null ? null : value(schema.get(i), text, record.line()));
        }
        return new CsvRow(shownName, record.line(), values);
    }

    private Object value(CsvColumn column, String text, long line) {
        try {
            return column.type().value(text);
        } catch (DateTimeException | ArithmeticException | IllegalArgumentException bad) {
            throw new CsvRecordException("%s:%d: column %s: '%s' is no %s; correct the value or the schema"
                    .formatted(shownName, line, column.name(), shortened(text), column.type()));
        }
    }

    private static String shortened(String text) {
        String oneLine = text.replaceAll("\\p{Cntrl}", " ");
        return oneLine.length() <= SHOWN ? oneLine : oneLine.substring(0, SHOWN - 3) + "...";
    }

    @Override
    public void close() {
        records.close();
    }
}
