package dev.weighlock.duckdb;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weighlock.query.engine.StatementProfile;
import dev.weighlock.query.testkit.load.HeavyQueries;
import java.nio.file.Path;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What the summary of a profiled query tells beyond its account. */
@Timeout(300)
class ProfileTest {
    @TempDir
    private Path folder;

    private BackendFixture fixture;

    @BeforeEach
    void open() throws Exception {
        fixture = new BackendFixture(folder, 256, 4);
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    private StatementProfile profile(String sql) throws Exception {
        var handle = fixture.backend.submit(fixture.select(sql).profile());
        handle.rows().toList();
        return Objects.requireNonNull(handle.await().profile());
    }

    @Test
    void operators_areATreeWithRowsAndTimes_andShowNoValues() throws Exception {
        var profile = profile("SELECT a.i % 10 k, count(*) FROM range(1000) a(i) JOIN range(500) b(j) ON a.i = b.j"
                + " WHERE a.i::VARCHAR <> 'hush-hush' GROUP BY k ORDER BY k");

        assertThat(profile.omitted()).isZero();
        var operators = profile.operators();
        assertThat(operators.getFirst().depth()).isZero();
        var sort = operators.stream()
                .filter(operator -> operator.name().equals("ORDER_BY"))
                .findFirst()
                .orElseThrow();
        assertThat(sort.rows()).isEqualTo(10);
        assertThat(sort.time()).isNotNull().matches(time -> !time.isNegative());
        assertThat(sort.bytes()).isPositive();
        var join = operators.stream()
                .filter(operator -> operator.name().equals("HASH_JOIN"))
                .findFirst()
                .orElseThrow();
        assertThat(join.detail()).isEqualTo("INNER");
        assertThat(join.rows()).isEqualTo(500);
        assertThat(join.depth()).isGreaterThan(sort.depth());
        var at = operators.indexOf(join);
        assertThat(operators.get(at + 1).depth()).isEqualTo(join.depth() + 1);
        assertThat(operators)
                .filteredOn(operator -> Objects.equals(operator.detail(), "RANGE"))
                .hasSize(2);
        assertThat(profile.toString()).doesNotContain("hush-hush");
    }

    @Test
    void operators_ofAVeryWideStatement_areBoundedAndCounted() throws Exception {
        var union = IntStream.range(0, 300)
                .mapToObj(i -> "SELECT count(*) FROM range(" + i + ") t" + i)
                .collect(Collectors.joining(" UNION ALL "));

        var profile = profile(union);

        assertThat(profile.operators()).hasSize(200);
        assertThat(profile.omitted()).isPositive();
    }

    @Test
    void operators_andOvershoot_ofAQueryThatDidNotAsk_areAbsent() throws Exception {
        var handle = fixture.backend.submit(fixture.select("SELECT 42"));
        handle.rows().toList();

        var summary = handle.await();

        assertThat(summary.profile()).isNull();
        assertThat(summary.overshootBytes()).isNull();
        assertThat(summary.peakBytes()).isNotNull();
    }

    @Test
    void overshoot_ofAQueryThatRanAlone_isThere_andOfTwoTogether_isNot() throws Exception {
        var heavy = HeavyQueries.spilling(0);
        var alone = fixture.backend.submit(fixture.select(heavy).profile());
        alone.rows().toList();
        assertThat(alone.await().overshootBytes()).isNotNull().isNotNegative();

        var first = fixture.backend.submit(fixture.select(heavy).profile());
        assertThat(first.rows().columns()).isNotEmpty();
        var second = fixture.backend.submit(fixture.select("SELECT 1").profile());
        second.rows().toList();
        first.rows().toList();

        assertThat(first.await().overshootBytes()).isNull();
        assertThat(second.await().overshootBytes()).isNull();
    }
}
