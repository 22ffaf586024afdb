package dev.weighlock.duckdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weighlock.query.ErrorCode;
import dev.weighlock.query.FactKey;
import dev.weighlock.query.QueryException;
import dev.weighlock.query.engine.PlanRequest;
import dev.weighlock.query.engine.QueryPlan;
import dev.weighlock.query.engine.StatementKind;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PlannerTest {
    private static final Path BASE = Path.of("/data/jobs");
    private static Planner planner;

    @BeforeAll
    static void open() {
        planner = new Planner(64 << 20);
    }

    @AfterAll
    static void close() {
        planner.close();
    }

    private static QueryPlan plan(String sql) {
        return planner.plan(new PlanRequest(sql, BASE, Duration.ofSeconds(60)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "SELECT 1|QUERY",
                "FROM t|QUERY",
                "VALUES (1)|QUERY",
                "WITH x AS (SELECT 1) SELECT * FROM x|QUERY",
                "SUMMARIZE 'a.csv'|QUERY",
                "INSERT INTO t VALUES (1)|CHANGE",
                "WITH x AS (INSERT INTO t VALUES (1) RETURNING *) SELECT * FROM x|CHANGE",
                "DELETE FROM t|CHANGE",
                "CREATE TABLE t AS SELECT 1|DEFINITION",
                "COPY (SELECT 1) TO 'x'|COPY",
                "EXPORT DATABASE 'x'|COPY",
                "ATTACH 'x'|ATTACH",
                "INSTALL httpfs|EXTENSION",
                "LOAD httpfs|EXTENSION",
                "SET memory_limit = '1GB'|SETTING",
                "PRAGMA version|SETTING",
                "BEGIN|TRANSACTION",
                "EXPLAIN ANALYZE SELECT 1|OTHER",
                "CALL pragma_version()|OTHER",
            })
    void plan_ofEachStatement_namesItsKind(String sql, StatementKind kind) {
        var plan = plan(sql);
        assertThat(plan.kind()).isEqualTo(kind);
        assertThat(plan.isOneQuery()).isEqualTo(kind == StatementKind.QUERY);
    }

    @Test
    void plan_ofTextThatDoesNotParse_namesTheLine() {
        assertThatThrownBy(() -> plan("SELECT :a,\n  'two\nlines'\nFROM WHERE x"))
                .isInstanceOfSatisfying(QueryException.class, error -> {
                    assertThat(error.code()).isEqualTo(ErrorCode.SQL_ERROR);
                    assertThat(error.facts().value(FactKey.LINE)).hasValue("4");
                });
    }

    @Test
    void plan_ofSeveralStatements_countsThem() {
        assertThat(plan("SELECT 1; SELECT 2").statements()).isEqualTo(2);
        assertThat(plan("SELECT 1; DROP TABLE t").isOneQuery()).isFalse();
        assertThat(plan("-- nothing").isOneQuery()).isFalse();
        assertThat(plan("SELECT 1 ; -- end").isOneQuery()).isTrue();
    }

    @Test
    void plan_ofBrokenText_isASqlError() {
        assertThatThrownBy(() -> plan("SELEC 1"))
                .isInstanceOfSatisfying(
                        QueryException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.SQL_ERROR))
                .hasMessageContaining("SELEC");
    }

    @Test
    void plan_namesTablesAndFunctions_butNoCommonTables() {
        var plan =
                plan("WITH w AS (SELECT * FROM 'a.parquet') SELECT * FROM w, t, read_csv('b.csv') WHERE x IN (FROM u)");
        assertThat(plan.tables()).containsExactlyInAnyOrder("a.parquet", "t", "u");
        assertThat(plan.functions()).containsExactly("read_csv");
    }

    @Test
    void plan_makesRelativeFilesAbsolute_andNothingElse() {
        var plan = plan(
                "SELECT 'ä.csv', \"b.csv\" FROM 'a.csv' AS x, read_csv('it''s.csv', delim = ',', columns = {'b.csv': 'INT'}),"
                        + " read_parquet(['p/1.parquet', '/abs/2.parquet']), \"q.csv\", \"plain\" WHERE d = :day ;");
        assertThat(plan.sql())
                .isEqualTo("SELECT 'ä.csv', \"b.csv\" FROM '/data/jobs/a.csv' AS x,"
                        + " read_csv('/data/jobs/it''s.csv', delim = ',', columns = {'b.csv': 'INT'}),"
                        + " read_parquet(['/data/jobs/p/1.parquet', '/abs/2.parquet']), '/data/jobs/q.csv', \"plain\""
                        + " WHERE d = $1 ");
        assertThat(plan.names()).containsExactly("day");
    }

    @Test
    void plan_ofWhatWouldTakeMinutesToFold_answersAtOnce() {
        assertThat(plan("SELECT count(*) FROM (SELECT unnest(range(1000000000)))")
                        .isOneQuery())
                .isTrue();
    }

    @Test
    void plan_thatDoesNotAnswerInTime_isGivenUpAndTheNextOneWorks() {
        var heavy = "SELECT 1 WHERE 1 IN (" + "1,".repeat(100_000) + "1)";
        assertThatThrownBy(() -> planner.plan(new PlanRequest(heavy, null, Duration.ofNanos(1))))
                .isInstanceOfSatisfying(
                        QueryException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.ENGINE_TEMPORARY_FAILURE));
        assertThat(plan("SELECT 1").isOneQuery()).isTrue();
    }
}
