package dev.weighlock.batch.jdbc.store;

import dev.weighlock.batch.StepCounts;

/** The nine columns of a step's or partition's counts. */
final class Counts {
    static final String ASSIGNMENTS = """
            read_count = :read, process_count = :processed, write_count = :written, filter_count = :filtered,
            read_skip_count = :readSkips, process_skip_count = :processSkips, write_skip_count = :writeSkips,
            commit_count = :commits, rollback_count = :rollbacks
            """;

    private Counts() {}

    static Sql bind(Sql sql, StepCounts counts) {
        return sql.bind("read", counts.read())
                .bind("processed", counts.processed())
                .bind("written", counts.written())
                .bind("filtered", counts.filtered())
                .bind("readSkips", counts.readSkips())
                .bind("processSkips", counts.processSkips())
                .bind("writeSkips", counts.writeSkips())
                .bind("commits", counts.commits())
                .bind("rollbacks", counts.rollbacks());
    }
}
