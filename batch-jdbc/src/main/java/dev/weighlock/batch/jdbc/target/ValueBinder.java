package dev.weighlock.batch.jdbc.target;

import java.math.BigDecimal;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Binds Java values as the target column wants them; times without a zone are UTC. */
enum ValueBinder {
    /** SQLite has no types for times, decimals or ids: they are ISO or plain text. */
    SQLITE {
        @Override
        void bind(PreparedStatement statement, int index, TargetTable.Column column, @Nullable Object value)
                throws SQLException {
            switch (value) {
                case null -> statement.setNull(index, Types.NULL);
                case Boolean b -> statement.setInt(index, b ? 1 : 0);
                case Float f -> statement.setDouble(index, f);
                case BigDecimal d -> statement.setString(index, d.toPlainString());
                case LocalDateTime t -> statement.setString(index, SQLITE_TIME.format(t));
                case OffsetDateTime t ->
                    statement.setString(index, SQLITE_TIME.format(t.withOffsetSameInstant(ZoneOffset.UTC)));
                case Instant i -> statement.setString(index, SQLITE_TIME.format(i.atOffset(ZoneOffset.UTC)));
                case LocalDate d -> statement.setString(index, d.toString());
                case LocalTime t -> statement.setString(index, t.toString());
                case UUID u -> statement.setString(index, u.toString());
                case byte[] bytes -> statement.setBytes(index, bytes);
                default -> statement.setObject(index, value);
            }
        }
    },
    POSTGRES {
        @Override
        void bind(PreparedStatement statement, int index, TargetTable.Column column, @Nullable Object value)
                throws SQLException {
            switch (value) {
                case null ->
                    statement.setNull(index, column.jdbcType() == Types.OTHER ? Types.NULL : column.jdbcType());
                case Instant i -> bindTime(statement, index, column, i.atOffset(ZoneOffset.UTC));
                case OffsetDateTime t -> bindTime(statement, index, column, t);
                case LocalDateTime t -> bindTime(statement, index, column, t.atOffset(ZoneOffset.UTC));
                case String text -> bindText(statement, index, column, text);
                default -> statement.setObject(index, value);
            }
        }

        private void bindTime(PreparedStatement statement, int index, TargetTable.Column column, OffsetDateTime time)
                throws SQLException {
            if (column.typeName().equals("timestamptz")) {
                statement.setObject(index, time);
            } else {
                statement.setObject(
                        index, time.withOffsetSameInstant(ZoneOffset.UTC).toLocalDateTime());
            }
        }

        // The server reads text for its own types: enums, JSON, numbers.
        private void bindText(PreparedStatement statement, int index, TargetTable.Column column, String text)
                throws SQLException {
            if (column.jdbcType() == Types.VARCHAR && isText(column.typeName())) {
                statement.setString(index, text);
            } else {
                statement.setObject(index, text, Types.OTHER);
            }
        }

        private static boolean isText(String typeName) {
            return typeName.equals("text") || typeName.equals("varchar") || typeName.equals("bpchar");
        }
    };

    private static final DateTimeFormatter SQLITE_TIME = DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss.SSSSSS");

    abstract void bind(PreparedStatement statement, int index, TargetTable.Column column, @Nullable Object value)
            throws SQLException;
}
