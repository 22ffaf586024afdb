package dev.weighlock.duckdb;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weighlock.query.engine.Row;
import dev.weighlock.query.testkit.load.TpchQuery;
import dev.weighlock.query.testkit.load.TpchTables;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Properties;
import org.duckdb.DuckDBDriver;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The 22 queries of TPC-H at scale 0.1 give what the driver alone gives. */
@Tag("long")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TpchPlainTest {
    private BackendFixture fixture;
    private Connection plain;

    @BeforeAll
    void generate(@TempDir Path folder) throws Exception {
        fixture = new BackendFixture(folder, 512, 2);
        TpchTables.write(fixture.backend, fixture.files.in, 0.1);
        plain = Objects.requireNonNull(new DuckDBDriver().connect("jdbc:duckdb:", new Properties()));
    }

    @AfterAll
    void close() throws SQLException {
        plain.close();
        fixture.close();
    }

    @ParameterizedTest
    @MethodSource("dev.weighlock.query.testkit.load.TpchQuery#all")
    void query_atScaleOneTenth_givesWhatTheDriverAloneGives(TpchQuery query) throws Exception {
        var sql = TpchTables.over(fixture.files.in, query.sql());
        List<List<@Nullable Object>> answer;
        try (var rows = fixture.backend
                .submit(fixture.select(sql).cap(256 * EngineFixture.MIB))
                .rows()) {
            answer = rows.toList().stream().map(Row::values).toList();
        }

        assertThat(answer).isEqualTo(plainly(sql));
    }

    private List<List<@Nullable Object>> plainly(String sql) throws SQLException {
        List<List<@Nullable Object>> rows = new ArrayList<>();
        try (var statement = plain.createStatement();
                var result = statement.executeQuery(sql)) {
            while (result.next()) {
                List<@Nullable Object> row = new ArrayList<>();
                for (var column = 1; column <= result.getMetaData().getColumnCount(); column++) {
                    row.add(result.getObject(column));
                }
                rows.add(row);
            }
        }
        return rows;
    }
}
