package dev.weighlock.jobs.csv;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One record as text.
 *
 * @param line of the file on which it begins, from 1
 * @param fields an empty field without quotes is null
 */
record CsvRecord(long line, List<@Nullable String> fields) {
    CsvRecord {
        fields = new ArrayList<>(fields);
    }
}
