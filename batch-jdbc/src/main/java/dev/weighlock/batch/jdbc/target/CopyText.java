package dev.weighlock.batch.jdbc.target;

import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyIn;

/** Rows in the text form of COPY: tabs between values, {@code \N} for null, back-slashes for what would confuse. */
final class CopyText {
    private static final int BUFFER_CHARS = 64 * 1024;

    private CopyText() {}

    static void write(
            Connection connection,
            String sql,
            List<TargetTable.Column> columns,
            List<? extends List<? extends @Nullable Object>> rows)
            throws SQLException {
        var copy = connection.unwrap(PGConnection.class).getCopyAPI().copyIn(sql);
        try {
            var text = new StringBuilder();
            for (var row : rows) {
                append(text, columns, row);
                if (text.length() >= BUFFER_CHARS) {
                    flush(copy, text);
                }
            }
            flush(copy, text);
            copy.endCopy();
        } finally {
            if (copy.isActive()) {
                copy.cancelCopy();
            }
        }
    }

    private static void flush(CopyIn copy, StringBuilder text) throws SQLException {
        var bytes = text.toString().getBytes(StandardCharsets.UTF_8);
        copy.writeToCopy(bytes, 0, bytes.length);
        text.setLength(0);
    }

    private static void append(
            StringBuilder text, List<TargetTable.Column> columns, List<? extends @Nullable Object> row) {
        if (row.size() != columns.size()) {
            throw JdbcWriter.wrongWidth(columns.size(), row.size());
        }
        for (int i = 0; i < row.size(); i++) {
            text.append(i == 0 ? "" : "\t");
            append(text, columns.get(i), row.get(i));
        }
        text.append('\n');
    }

    static void append(StringBuilder text, TargetTable.Column column, @Nullable Object value) {
        switch (value) {
            case null -> text.append("\\N");
            case byte[] bytes -> text.append("\\\\x").append(HexFormat.of().formatHex(bytes));
            case LocalDateTime t -> time(text, column, t.atOffset(ZoneOffset.UTC));
            case OffsetDateTime t -> time(text, column, t);
            case Instant i -> time(text, column, i.atOffset(ZoneOffset.UTC));
            default -> escape(text, value.toString());
        }
    }

    private static void time(StringBuilder text, TargetTable.Column column, OffsetDateTime time) {
        text.append(
                column.typeName().equals("timestamptz")
                        ? time.toString()
                        : time.withOffsetSameInstant(ZoneOffset.UTC)
                                .toLocalDateTime()
                                .toString());
    }

    private static void escape(StringBuilder text, String value) {
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            switch (c) {
                case '\\' -> text.append("\\\\");
                case '\t' -> text.append("\\t");
                case '\n' -> text.append("\\n");
                case '\r' -> text.append("\\r");
                default -> text.append(c);
            }
        }
    }
}
