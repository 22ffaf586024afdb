package dev.weighlock.duckdb;

import static dev.weighlock.duckdb.EngineFixture.MIB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weighlock.query.ErrorCode;
import dev.weighlock.query.QueryException;
import dev.weighlock.query.engine.PlannedStatement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Attempts to get out of the folders or over the limits: by what a statement is, and by what a query names. */
@Timeout(300)
class EscapeTest {
    private static final String LIMITS =
            "SELECT string_agg(name || '=' || value, ' ' ORDER BY name) FROM duckdb_settings() WHERE name IN ('memory_limit',"
                    + " 'threads', 'async_threads', 'temp_directory', 'max_temp_directory_size', 'enable_external_access',"
                    + " 'allowed_directories', 'allowed_paths', 'lock_configuration', 'TimeZone', 'disabled_filesystems')";

    @TempDir
    private Path folder;

    private BackendFixture fixture;
    private Path secret;

    @BeforeEach
    void open() throws Exception {
        fixture = new BackendFixture(folder, 256, 2);
        secret = Files.writeString(fixture.files.folder.resolve("secret.csv"), "a\n1\n");
        Files.writeString(fixture.files.in.resolve("a.csv"), "a\n1\n");
        Files.createSymbolicLink(fixture.files.in.resolve("link.csv"), secret);
        Files.createSymbolicLink(fixture.files.in.resolve("up"), fixture.files.folder);
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    private QueryException failure(String sql) throws Exception {
        var handle = fixture.backend.submit(fixture.select(sql));
        return Objects.requireNonNull(handle.await().error(), sql);
    }

    private List<Path> files() throws IOException {
        try (var paths = Files.walk(fixture.files.folder)) {
            return paths.filter(path -> !path.startsWith(fixture.files.tempRoot))
                    .toList();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SET memory_limit = '8GB'",
                "SET GLOBAL threads = 64",
                "RESET memory_limit",
                "PRAGMA memory_limit = '8GB'",
                "PRAGMA enable_profiling",
                "COPY (SELECT 1) TO 'escaped.csv'",
                "COPY t FROM 'a.csv'",
                "EXPORT DATABASE 'escaped'",
                "IMPORT DATABASE 'escaped'",
                "ATTACH 'escaped.db' AS e",
                "DETACH memory",
                "USE memory",
                "INSTALL httpfs",
                "LOAD httpfs",
                "CREATE TABLE t AS SELECT 1",
                "CREATE TEMP TABLE t (a INT)",
                "CREATE OR REPLACE MACRO m(x) AS x",
                "INSERT INTO t VALUES (1)",
                "UPDATE t SET a = 1",
                "DELETE FROM t",
                "DROP TABLE t",
                "CALL pragma_version()",
                "EXPLAIN ANALYZE SELECT 1",
                "CHECKPOINT",
                "BEGIN TRANSACTION",
                "VACUUM",
                "PREPARE p AS SELECT 1",
                "SELECT 1; SET threads = 64",
                "SELECT 1; SELECT 2",
                "WITH x AS (DELETE FROM t RETURNING *) SELECT * FROM x"
            })
    void statement_thatIsNoQuery_isRefusedBeforeAnyGrant(String sql) throws Exception {
        var before = files();
        var handle = fixture.backend.submit(fixture.select(sql));
        var error = Objects.requireNonNull(handle.await().error());
        assertThat(error.code()).as(error.getMessage()).isEqualTo(ErrorCode.STATEMENT_REFUSED);
        assertThat(handle.await().grantBytes()).isNull();
        assertThat(files()).isEqualTo(before);
    }

    static Stream<String> outside() {
        return Stream.of(
                "FROM read_csv('$secret')",
                "FROM read_csv('../secret.csv')",
                "FROM read_csv('./up/../../secret.csv')",
                "FROM read_csv('link.csv')",
                "FROM read_csv('up/secret.csv')",
                "FROM read_csv('$folder/*.csv')",
                "FROM read_csv('../*.csv')",
                "FROM read_csv('up/*.csv')",
                "FROM read_csv(['a.csv', '../secret.csv'])",
                "FROM '../secret.csv'",
                "FROM read_text('/etc/passwd')",
                "FROM read_blob('/proc/self/environ')",
                "FROM read_csv('file://$secret')",
                "FROM read_json('/etc/hostname')",
                "FROM read_parquet('$secret')",
                "FROM glob('$folder/*')",
                "FROM read_csv('https://localhost:1/a.csv')",
                "FROM sniff_csv('$secret')",
                "FROM parquet_metadata('$secret')",
                "SELECT (SELECT count(*) FROM read_text('/etc/passwd'))");
    }

    @ParameterizedTest
    @MethodSource("outside")
    void query_ofFilesOutside_neverReadsThem(String sql) throws Exception {
        var named = sql.replace("$secret", secret.toString()).replace("$folder", fixture.files.folder.toString());
        assertThat(failure(named).code())
                .as(named)
                .isIn(ErrorCode.SOURCE_ACCESS_DENIED, ErrorCode.SOURCE_NOT_FOUND, ErrorCode.SQL_ERROR);
    }

    /** Past the planner, as if it had been deceived: the locked instance refuses too. */
    static Stream<String> inside() {
        return Stream.of(
                "SET memory_limit = '8GB'",
                "SET threads = 64",
                "SET async_threads = 64",
                "SET temp_directory = '/tmp'",
                "SET max_temp_directory_size = '1TB'",
                "SET enable_external_access = true",
                "SET lock_configuration = false",
                "SET allowed_directories = ['/']",
                "SET TimeZone = 'Asia/Tokyo'",
                "RESET lock_configuration",
                "PRAGMA threads = 64",
                "ATTACH '$folder/escaped.db' AS e",
                "COPY (SELECT 1) TO '$folder/escaped.csv'",
                "EXPORT DATABASE '$folder/escaped'",
                "INSTALL httpfs",
                "LOAD httpfs");
    }

    @ParameterizedTest
    @MethodSource("inside")
    void lockedInstance_refusesWhatThePlannerWould(String sql) throws Exception {
        var before = files();
        var session = fixture.files.open(64 * MIB);
        try {
            var limits = EngineFixture.rows(session, fixture.files.plan(LIMITS))
                    .getFirst()
                    .value(0);
            var statement = new PlannedStatement(sql.replace("$folder", fixture.files.folder.toString()), List.of());
            assertThatThrownBy(() -> EngineFixture.rows(session, statement)).isInstanceOf(QueryException.class);
            assertThat(EngineFixture.rows(session, fixture.files.plan(LIMITS))
                            .getFirst()
                            .value(0))
                    .isEqualTo(limits);
        } finally {
            session.release();
        }
        assertThat(files()).isEqualTo(before);
    }
}
