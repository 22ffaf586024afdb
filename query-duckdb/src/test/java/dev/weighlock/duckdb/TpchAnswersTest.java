package dev.weighlock.duckdb;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weighlock.query.engine.Row;
import dev.weighlock.query.testkit.load.TpchQuery;
import dev.weighlock.query.testkit.load.TpchTables;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The 22 queries of TPC-H at scale 0.01, through admission and grant, against answers that others computed. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TpchAnswersTest {
    private BackendFixture fixture;

    @BeforeAll
    void generate(@TempDir Path folder) throws Exception {
        fixture = new BackendFixture(folder, 256, 2);
        TpchTables.write(fixture.backend, fixture.files.in, 0.01);
    }

    @AfterAll
    void close() {
        fixture.close();
    }

    @ParameterizedTest
    @MethodSource("dev.weighlock.query.testkit.load.TpchQuery#all")
    void query_atScaleOneHundredth_givesTheBundledAnswer(TpchQuery query) throws Exception {
        List<List<String>> answer = new ArrayList<>();
        try (var rows = fixture.backend
                .submit(fixture.select(TpchTables.over(fixture.files.in, query.sql())))
                .rows()) {
            for (Row row : rows.toList()) {
                answer.add(cells(row, query.answer().get(answer.size())));
            }
        }

        assertThat(answer).isEqualTo(query.answer());
    }

    private static List<String> cells(Row row, List<String> expected) {
        return IntStream.range(0, expected.size())
                .mapToObj(column -> cell(row.value(column), expected.get(column)))
                .toList();
    }

    /** A number counts as the bundled one when it rounds to it at the digits that one has. */
    private static String cell(@Nullable Object value, String expected) {
        return switch (value) {
            case null -> "null";
            case Double number -> rounded(BigDecimal.valueOf(number), expected);
            case BigDecimal number -> rounded(number, expected);
            default -> value.toString();
        };
    }

    private static String rounded(BigDecimal number, String expected) {
        var digits = new BigDecimal(expected);
        return number.setScale(digits.scale(), RoundingMode.HALF_UP).compareTo(digits) == 0
                ? expected
                : number.toPlainString();
    }
}
