package dev.weighlock.batch.jdbc.target;

import dev.weighlock.batch.BatchError;
import dev.weighlock.batch.BatchException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A table as the database describes it. Names are looked up there, exactly or else without regard to case, and what is
 * found is quoted: a name from a job file never becomes SQL.
 */
record TargetTable(String quotedName, List<Column> columns) {
    /** @param typeName the database's own name of the type, in lower case */
    record Column(String name, int jdbcType, String typeName) {
        String quoted() {
            return quote(name);
        }
    }

    private record Name(@Nullable String schema, String table) {
        String quoted() {
            return schema == null || schema.isEmpty() ? quote(table) : quote(schema) + "." + quote(table);
        }
    }

    TargetTable {
        columns = List.copyOf(columns);
    }

    /**
     * @param name {@code TABLE} or {@code SCHEMA.TABLE}
     * @throws BatchException INVALID_DEFINITION when there is no such table, or more than one
     */
    static TargetTable find(Connection connection, String name) throws SQLException {
        int dot = name.indexOf('.');
        var schema = dot < 0 ? Optional.<String>empty() : Optional.of(name.substring(0, dot));
        var found =
                one("table", name, names(connection, schema), dot < 0 ? name : name.substring(dot + 1), Name::table);
        return new TargetTable(found.quoted(), columns(connection, found));
    }

    private static List<Name> names(Connection connection, Optional<String> schema) throws SQLException {
        var names = new ArrayList<Name>();
        var own = schema.isPresent() ? schema : Optional.ofNullable(connection.getSchema());
        try (var tables = connection
                .getMetaData()
                .getTables(connection.getCatalog(), null, "%", new String[] {"TABLE", "PARTITIONED TABLE", "VIEW"})) {
            while (tables.next()) {
                var in = tables.getString("TABLE_SCHEM");
                if (in == null || own.isEmpty() || own.get().equalsIgnoreCase(in)) {
                    names.add(new Name(in, tables.getString("TABLE_NAME")));
                }
            }
        }
        return names;
    }

    private static List<Column> columns(Connection connection, Name table) throws SQLException {
        var metadata = connection.getMetaData();
        var columns = new ArrayList<Column>();
        try (var rows = metadata.getColumns(
                connection.getCatalog(),
                escape(table.schema(), metadata.getSearchStringEscape()),
                escape(table.table(), metadata.getSearchStringEscape()),
                "%")) {
            while (rows.next()) {
                columns.add(new Column(
                        rows.getString("COLUMN_NAME"),
                        rows.getInt("DATA_TYPE"),
                        rows.getString("TYPE_NAME").toLowerCase(Locale.ROOT)));
            }
        }
        return columns;
    }

    private static @Nullable String escape(@Nullable String name, String escape) {
        return name == null
                ? null
                : name.replace(escape, escape + escape)
                        .replace("_", escape + "_")
                        .replace("%", escape + "%");
    }

    /** @throws BatchException INVALID_DEFINITION */
    Column column(String name) {
        return one("column of " + quotedName, name, columns, name, Column::name);
    }

    private static <T> T one(String what, String asked, List<T> candidates, String name, Function<T, String> nameOf) {
        var exact =
                candidates.stream().filter(c -> nameOf.apply(c).equals(name)).toList();
        var found = exact.isEmpty()
                ? candidates.stream()
                        .filter(c -> nameOf.apply(c).equalsIgnoreCase(name))
                        .toList()
                : exact;
        if (found.size() == 1) {
            return found.getFirst();
        }
        throw new BatchException(
                BatchError.INVALID_DEFINITION,
                found.isEmpty()
                        ? "there is no " + what + " \"" + asked + "\""
                        : "there is more than one " + what + " \"" + asked + "\": write its name exactly");
    }

    static String quote(String name) {
        return "\"" + name.replace("\"", "\"\"") + "\"";
    }
}
