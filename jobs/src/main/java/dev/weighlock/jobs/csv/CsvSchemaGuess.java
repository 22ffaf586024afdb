package dev.weighlock.jobs.csv;

import dev.weighlock.jobs.csv.ColumnType.Kind;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Guesses a schema from the first records of a file: each column takes the narrowest type that all its values fit. */
public final class CsvSchemaGuess {
    private static final int SAMPLE = 1_000;
    private static final List<Kind> ORDER = List.of(Kind.BIGINT, Kind.DOUBLE, Kind.DATE, Kind.TIMESTAMP, Kind.VARCHAR);

    private CsvSchemaGuess() {}

    /**
     * The guessed columns; without a header they are called column0, column1 and so on.
     *
     * @throws CsvException where the file cannot be read
     */
    public static List<CsvColumn> of(Path file, String shownName, CsvFormat format) {
        try (CsvRecords records = CsvRecords.open(file, shownName, format)) {
            List<CsvRecord> sample = new ArrayList<>();
            Optional<CsvRecord> record = records.next();
            while (record.isPresent() && sample.size() <= SAMPLE) {
                sample.add(record.get());
                record = records.next();
            }
            return sample.isEmpty() ? List.of() : columns(sample, format.header());
        }
    }

    private static List<CsvColumn> columns(List<CsvRecord> sample, boolean header) {
        List<CsvColumn> columns = new ArrayList<>();
        List<@Nullable String> first = sample.getFirst().fields();
        List<CsvRecord> data = header ? sample.subList(1, sample.size()) : sample;
        for (int i = 0; i < first.size(); i++) {
            String name = header ? first.get(i) : null;
            columns.add(new CsvColumn(name == null ? "column" + i : name.strip(), type(data, i)));
        }
        return columns;
    }

    private static ColumnType type(List<CsvRecord> data, int column) {
        List<String> texts = data.stream()
                .flatMap(record -> Optional.ofNullable(text(record, column)).stream())
                .toList();
        if (texts.isEmpty()) {
            return ColumnType.VARCHAR;
        }
        return ORDER.stream()
                .map(kind -> new ColumnType(kind, 0, 0))
                .filter(type -> texts.stream().allMatch(text -> fits(type, text)))
                .findFirst()
                .orElse(ColumnType.VARCHAR);
    }

    private static @Nullable String text(CsvRecord record, int column) {
        return column < record.fields().size() ? record.fields().get(column) : null;
    }

    private static boolean fits(ColumnType type, String text) {
        // A number written with leading zeros is a code, whose zeros a number would lose.
        boolean code = text.length() > 1 && text.charAt(0) == '0' && Character.isDigit(text.charAt(1));
        if (code && (type.kind() == Kind.BIGINT || type.kind() == Kind.DOUBLE)) {
            return false;
        }
        try {
            type.value(text);
            return true;
        } catch (DateTimeException | IllegalArgumentException no) {
            return false;
        }
    }
}
