package dev.weighlock.jobs.csv;

import dev.weighlock.batch.chunk.Located;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One record as typed values, in the order of the schema's columns; an empty field without quotes is null.
 *
 * @param file the file as the user knows it
 * @param line on which it begins
 */
public record CsvRow(String file, long line, List<@Nullable Object> values) implements Located {
    public CsvRow {
        values = Collections.unmodifiableList(new ArrayList<>(values));
    }

    @Override
    public String place() {
        return file + ":" + line;
    }
}
