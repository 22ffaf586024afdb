package dev.weighlock.duckdb;

import dev.weighlock.query.engine.SqlText;
import dev.weighlock.query.engine.StatementKind;

/** Names the kind of a statement that the parser has found to be no query. */
final class StatementWords {
    private StatementWords() {}

    static StatementKind kind(String sql) {
        return switch (SqlText.firstWord(sql)) {
            case "INSERT", "UPDATE", "DELETE", "MERGE", "TRUNCATE", "REPLACE", "WITH" -> StatementKind.CHANGE;
            case "CREATE", "ALTER", "DROP", "COMMENT" -> StatementKind.DEFINITION;
            case "COPY", "EXPORT", "IMPORT" -> StatementKind.COPY;
            case "ATTACH", "DETACH", "USE" -> StatementKind.ATTACH;
            case "INSTALL", "LOAD", "FORCE" -> StatementKind.EXTENSION;
            case "SET", "RESET", "PRAGMA" -> StatementKind.SETTING;
            case "BEGIN", "START", "COMMIT", "ROLLBACK", "ABORT", "END", "CHECKPOINT", "VACUUM" ->
                StatementKind.TRANSACTION;
            default -> StatementKind.OTHER;
        };
    }
}
