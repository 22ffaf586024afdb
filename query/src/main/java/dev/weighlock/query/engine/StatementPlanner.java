package dev.weighlock.query.engine;

/** Parses and classifies statements. Thread-safe. Whoever opened it closes it. */
public interface StatementPlanner extends AutoCloseable {
    /**
     * Parses and classifies, in memory that no grant pays for. Never binds and never folds, so no data is read and no
     * expression is evaluated.
     *
     * @throws dev.weighlock.query.QueryException SQL_ERROR where the text does not parse, with the line where that is
     *     known; ENGINE_TEMPORARY_FAILURE where the planner did not answer within the request's limit (the planner is then
     *     replaced)
     */
    QueryPlan plan(PlanRequest request);

    @Override
    void close();
}
