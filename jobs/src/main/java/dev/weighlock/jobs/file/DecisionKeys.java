package dev.weighlock.jobs.file;

/** A decision: an exit code found once and stored. */
public sealed interface DecisionKeys extends StepWork {
    /** By one text that SQL gives. */
    record Sql(SqlSource sql) implements DecisionKeys {}

    /** By a class of the user's. */
    record OfClass(String className) implements DecisionKeys {}
}
