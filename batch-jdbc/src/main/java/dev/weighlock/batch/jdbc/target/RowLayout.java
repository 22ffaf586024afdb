package dev.weighlock.batch.jdbc.target;

import dev.weighlock.batch.BatchError;
import dev.weighlock.batch.BatchException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Where rows go and how.
 *
 * @param table {@code TABLE} or {@code SCHEMA.TABLE}
 * @param columns in the order of a row's values
 * @param key of UPSERT: columns with a unique index, each one of {@code columns}
 */
public record RowLayout(String table, List<String> columns, WriteMode mode, List<String> key) {
    /** @throws BatchException INVALID_DEFINITION when empty, with a column twice, or with a key that does not fit */
    public RowLayout {
        columns = List.copyOf(columns);
        key = List.copyOf(key);
        if (columns.isEmpty() || new HashSet<>(folded(columns)).size() != columns.size()) {
            throw invalid("rows of \"" + table + "\" need columns, each once");
        }
        if ((mode == WriteMode.UPSERT) == key.isEmpty()) {
            throw invalid("mode upsert into \"" + table + "\" needs a key, the other modes take none");
        }
        if (!folded(columns).containsAll(folded(key))) {
            throw invalid("the key of \"" + table + "\" names a column that is not written");
        }
    }

    private static List<String> folded(List<String> names) {
        return names.stream().map(name -> name.toLowerCase(Locale.ROOT)).toList();
    }

    List<@Nullable Object> keyOf(List<? extends @Nullable Object> row) {
        var names = folded(columns);
        var values = new ArrayList<@Nullable Object>();
        for (var name : folded(key)) {
            values.add(row.get(names.indexOf(name)));
        }
        return values;
    }

    private static BatchException invalid(String message) {
        return new BatchException(BatchError.INVALID_DEFINITION, message);
    }
}
