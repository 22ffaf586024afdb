package dev.weighlock.query.engine;

/** What a statement would do. Only {@link #QUERY} is ever run. */
public enum StatementKind {
    /** Reads and returns rows: SELECT, VALUES, FROM, WITH, DESCRIBE, SUMMARIZE. */
    QUERY,
    /** INSERT, UPDATE, DELETE, MERGE, TRUNCATE. */
    CHANGE,
    /** CREATE, ALTER, DROP, COMMENT. */
    DEFINITION,
    /** COPY, EXPORT, IMPORT. */
    COPY,
    /** ATTACH, DETACH, USE. */
    ATTACH,
    /** INSTALL, LOAD, UPDATE EXTENSIONS. */
    EXTENSION,
    /** SET, RESET, PRAGMA. */
    SETTING,
    /** BEGIN, COMMIT, ROLLBACK, CHECKPOINT. */
    TRANSACTION,
    /** EXPLAIN, PREPARE, EXECUTE, CALL and whatever else the engine knows. */
    OTHER
}
