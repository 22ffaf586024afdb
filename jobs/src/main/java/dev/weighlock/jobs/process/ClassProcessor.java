package dev.weighlock.jobs.process;

import dev.weighlock.batch.chunk.ItemProcessor;
import dev.weighlock.jobs.csv.CsvColumn;
import dev.weighlock.jobs.csv.CsvRow;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Gives each item to a class of the user's as a map of its columns, and takes a map of the same columns back, or null to
 * leave the item out. Of one step or partition attempt.
 */
public final class ClassProcessor implements ItemProcessor<CsvRow, CsvRow> {
    private final ItemProcessor<Map<String, @Nullable Object>, Map<String, @Nullable Object>> own;
    private final List<CsvColumn> schema;
    private final boolean anyFailureIsABadItem;

    /**
     * @param own an {@code ItemProcessor<Map<String, Object>, Map<String, Object>>}
     * @param anyFailureIsABadItem whether what it throws may be skipped; else only where the job names its class
     */
    @SuppressWarnings("unchecked") // the contract of the port, which no class can show at run time
    public ClassProcessor(ItemProcessor<?, ?> own, List<CsvColumn> schema, boolean anyFailureIsABadItem) {
        this.own = (ItemProcessor<Map<String, @Nullable Object>, Map<String, @Nullable Object>>) own;
        this.schema = List.copyOf(schema);
        this.anyFailureIsABadItem = anyFailureIsABadItem;
    }

    @Override
    public @Nullable CsvRow process(CsvRow item) throws Exception {
        Map<String, @Nullable Object> columns = new LinkedHashMap<>();
        for (int i = 0; i < schema.size(); i++) {
            columns.put(schema.get(i).name(), item.values().get(i));
        }
        Map<String, @Nullable Object> made = call(columns, item);
        return made == null ? null : row(item, made);
    }

    private @Nullable Map<String, @Nullable Object> call(Map<String, @Nullable Object> columns, CsvRow item)
            throws Exception {
        try {
            return own.process(columns);
        } catch (InterruptedException stopped) {
            throw stopped;
        } catch (Exception failure) {
            if (anyFailureIsABadItem) {
                throw new BadItem("%s:%d: %s".formatted(item.file(), item.line(), failure), failure);
            }
            throw failure;
        }
    }

    private CsvRow row(CsvRow item, Map<String, @Nullable Object> made) {
        List<@Nullable Object> values = new ArrayList<>(schema.size());
        for (CsvColumn column : schema) {
            if (!made.containsKey(column.name())) {
                throw new IllegalArgumentException("the class under 'process' gave no column '" + column.name() + "'");
            }
            values.add(made.get(column.name()));
        }
        if (made.size() != schema.size()) {
            throw new IllegalArgumentException(
                    "the class under 'process' gave columns that are not in the schema: " + made.keySet());
        }
        return new CsvRow(item.file(), item.line(), values);
    }
}
