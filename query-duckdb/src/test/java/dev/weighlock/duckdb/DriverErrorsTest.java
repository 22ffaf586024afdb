package dev.weighlock.duckdb;

import static dev.weighlock.duckdb.EngineFixture.MIB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.weighlock.query.ErrorCode;
import dev.weighlock.query.FactKey;
import dev.weighlock.query.QueryException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import java.util.Properties;
import org.duckdb.DuckDBDriver;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Pins the wordings of the driver version that the build uses; a new version comes with a new look at them. */
class DriverErrorsTest {
    private static final Limits LIMITS = new Limits(64 * MIB, 48 * MIB, 16 * MIB, 8 * MIB, List.of(Path.of("/data")));

    @Test
    void driver_isTheOneWhoseWordingsArePinned() throws Exception {
        try (var connection = plain()) {
            assertThat(connection.getMetaData().getDatabaseProductVersion()).isEqualTo("v2.0.0");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "SELEC 1|SQL_ERROR",
                "SELECT no_column|SQL_ERROR",
                "FROM no_table|SQL_ERROR",
                "SELECT no_function(1)|SQL_ERROR",
                "SELECT 'x'::INT|DATA_ERROR",
                "SELECT 9223372036854775807 + 1|DATA_ERROR",
                "SELECT strptime('a', '%Y')|DATA_ERROR",
                "SELECT error('mine')|DATA_ERROR",
                "SELECT 10::DECIMAL(2,1)|DATA_ERROR",
                "FROM read_csv('/no/such/file.csv')|SOURCE_NOT_FOUND",
                "COPY (SELECT range i FROM range(100)) TO '/dev/full' (FORMAT csv, USE_TMP_FILE false)|DISK_FULL"
            })
    void classify_ofWhatTheDriverSays_givesTheCode(String sql, ErrorCode code) throws Exception {
        try (var connection = plain();
                var statement = connection.createStatement()) {
            var error = catchThrowableOfType(SQLException.class, () -> statement.execute(sql));
            assertThat(DriverErrors.classify("test", error, LIMITS).code())
                    .as(error.getMessage())
                    .isEqualTo(code);
        }
    }

    @Test
    void classify_ofWhatNobodyKnows_isIndeterminate() {
        assertThat(DriverErrors.classify("test", new SQLException("Strange Error: x"), LIMITS)
                        .code())
                .isEqualTo(ErrorCode.ENGINE_ERROR);
        assertThat(DriverErrors.classify("test", new SQLException((String) null), LIMITS)
                        .code())
                .isEqualTo(ErrorCode.ENGINE_ERROR);
        assertThat(DriverErrors.classify("test", new SQLException("INTERNAL Error: assert"), LIMITS)
                        .code())
                .isEqualTo(ErrorCode.ENGINE_PERSISTENT_FAILURE);
    }

    @Test
    void classify_ofADeniedFile_namesItsPath() {
        var error = new SQLException(
                "Permission Error: Cannot access file \"/etc/passwd\" - file system operations are disabled by"
                        + " configuration");
        var denied = DriverErrors.classify("test", error, LIMITS);
        assertThat(denied.facts().value(FactKey.PATH)).contains("/etc/passwd");
        assertThat(denied.text())
                .isEqualTo("the file /etc/passwd lies outside the folders that this query may use: /data");
    }

    @Test
    void classify_ofAFileWhoseKindNobodyKnows_isARefusalOutsideTheFolders_andAnSqlErrorInside() throws Exception {
        for (var path : new String[] {"/etc/passwd", "/data/../etc/passwd", "/etc/no/such.thing"}) {
            var refused = classified("SELECT * FROM '" + path + "'");
            assertThat(refused.code()).as(refused.getMessage()).isEqualTo(ErrorCode.SOURCE_ACCESS_DENIED);
            assertThat(refused.facts().value(FactKey.PATH)).contains(path);
            assertThat(refused.text()).contains(path + " lies outside", "/data");
        }
        assertThat(classified("SELECT * FROM '/data/some.thing'").code()).isEqualTo(ErrorCode.SQL_ERROR);
        assertThat(classified("SELECT * FROM no_table").code()).isEqualTo(ErrorCode.SQL_ERROR);
    }

    private static QueryException classified(String sql) throws SQLException {
        try (var connection = plain();
                var statement = connection.createStatement()) {
            return DriverErrors.classify(
                    "test", catchThrowableOfType(SQLException.class, () -> statement.execute(sql)), LIMITS);
        }
    }

    @Test
    void classify_ofAnAddress_saysThatThereAreNoSuchSources() {
        var error = new SQLException(
                "Permission Error: Cannot access file \"s3://bucket/x.parquet\" - file system operations are disabled by"
                        + " configuration");
        assertThat(DriverErrors.classify("test", error, LIMITS).text())
                .isEqualTo(
                        "there are no sources by address, such as s3://bucket/x.parquet, yet; copy or mount the data");
    }

    @Test
    void classify_ofABadLine_saysPlaceValueAndRemedyInASentence(@TempDir Path folder) throws Exception {
        Files.writeString(folder.resolve("late.csv"), "id,amount\n" + "1,2.5\n".repeat(30_000) + "30001,oops\n");
        Files.writeString(folder.resolve("short.csv"), "a,b,c\n1,2,3\n4,5\n");

        assertSays(
                "SELECT sum(amount) FROM '" + folder + "/late.csv'",
                folder
                        + "/late.csv, line 30002, column amount: \"oops\" is no DOUBLE; correct the line, or declare the type"
                        + " (else guessed from the first rows), for example read_csv('" + folder
                        + "/late.csv', types = {'amount': 'VARCHAR'})");
        assertSays(
                "FROM read_csv('" + folder + "/short.csv', header = true, auto_detect = false, delim = ',',"
                        + " columns = {'a': 'INT', 'b': 'INT', 'c': 'INT'})",
                folder + "/short.csv, line 3: Expected Number of Columns: 3 Found: 2; correct the line, pad it with"
                        + " null_padding = true or skip it with ignore_errors = true");
    }

    @Test
    void classify_ofParquetFilesThatDisagree_namesTheFileAndTheWayOut(@TempDir Path folder) throws Exception {
        try (var connection = plain();
                var statement = connection.createStatement()) {
            statement.execute("COPY (SELECT 1 AS x) TO '" + folder + "/a.parquet'");
            statement.execute("COPY (SELECT 'abc' AS x) TO '" + folder + "/b.parquet'");
        }

        assertSays(
                "FROM '" + folder + "/*.parquet'",
                folder
                        + "/b.parquet: failed to cast column \"x\" from type VARCHAR to INTEGER: Could not convert string"
                        + " 'abc' to INT32; the first file decides the types: read the files with union_by_name = true, or"
                        + " cast the column");
    }

    private static void assertSays(String sql, String message) throws Exception {
        try (var connection = plain();
                var statement = connection.createStatement()) {
            var error = catchThrowableOfType(SQLException.class, () -> statement.execute(sql));
            var classified = DriverErrors.classify("test", error, LIMITS);
            assertThat(classified.code()).isEqualTo(ErrorCode.DATA_ERROR);
            assertThat(classified.text()).isEqualTo(message);
        }
    }

    private static Connection plain() throws SQLException {
        return Objects.requireNonNull(new DuckDBDriver().connect("jdbc:duckdb:", new Properties()));
    }
}
