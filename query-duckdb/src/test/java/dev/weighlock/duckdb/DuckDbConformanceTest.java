package dev.weighlock.duckdb;

import dev.weighlock.query.engine.QueryEngine;
import dev.weighlock.query.testkit.EngineUnderTest;
import dev.weighlock.query.testkit.QueryEngineContract;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** DuckDB passes the kit. */
class DuckDbConformanceTest extends QueryEngineContract {
    @Override
    protected EngineUnderTest engineUnderTest() {
        return new DuckDb();
    }

    private record DuckDb() implements EngineUnderTest {
        @Override
        public QueryEngine open(Path spillRoot) {
            return DuckDbEngine.open(new DuckDbSettings(spillRoot, 2, 64 << 20));
        }

        @Override
        public String rows(long count) {
            return "SELECT i FROM range(" + count + ") t(i)";
        }

        @Override
        public String endless() {
            return "SELECT count(*) FROM range(10000000) a, range(10000000) b WHERE a.range + b.range = -1";
        }

        @Override
        public String endlessRows() {
            return "SELECT i FROM range(100000000000) t(i)";
        }

        @Override
        public String breaksAfterRows() {
            return "SELECT CASE WHEN i = 1500000 THEN error('boom') ELSE i::VARCHAR END FROM range(2000000) t(i)";
        }

        @Override
        public String needsMemory() {
            return "SELECT list(i) FROM range(30000000) t(i)";
        }

        @Override
        public String needsTemp() {
            return spills();
        }

        @Override
        public String needsResultRoom() {
            return "SELECT repeat('x', 50000) || i FROM range(2048) t(i)";
        }

        @Override
        public String spills() {
            return "SELECT x FROM (SELECT i::VARCHAR || repeat('x', 40) x FROM range(1200000) t(i)) ORDER BY x";
        }

        @Override
        public String reads(Path file) {
            return "FROM read_csv('" + file + "', header = false)";
        }

        @Override
        public Optional<String> readsAll(String pattern) {
            return Optional.of("FROM read_csv('" + pattern + "', header = false)");
        }

        @Override
        public List<String> refused() {
            return List.of(
                    "SET memory_limit = '1GB'",
                    "COPY (SELECT 1) TO 'x'",
                    "ATTACH 'x'",
                    "SELECT 1; SELECT 2",
                    "CREATE TABLE t (a INT)",
                    "EXPLAIN ANALYZE SELECT 1");
        }

        @Override
        public String doesNotParse() {
            return "SELEC 1";
        }

        @Override
        public String doesNotBind() {
            return "SELECT no_column FROM no_table";
        }

        @Override
        public String doesNotEvaluate() {
            return "SELECT error('boom')";
        }

        @Override
        public Optional<String> breaksTheEngine() {
            return Optional.empty();
        }
    }
}
