package dev.weighlock.query.report;

/**
 * What the reader of the result got.
 *
 * @param rows rows handed over
 * @param complete whether the engine proved that these are all
 */
public record ResultFacts(long rows, boolean complete) {
    public static final ResultFacts NONE = new ResultFacts(0, false);
}
