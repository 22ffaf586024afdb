package dev.weighlock.duckdb;

import static dev.weighlock.duckdb.EngineFixture.MIB;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weighlock.query.ErrorCode;
import dev.weighlock.query.FactKey;
import java.sql.SQLException;
import org.duckdb.DuckDBDriver;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Pins the wordings of the driver version that the build uses; a new version comes with a new look at them. */
class DriverErrorsTest {
    private static final Limits LIMITS = new Limits(64 * MIB, 48 * MIB, 16 * MIB, 8 * MIB);

    @Test
    void driver_isTheOneWhoseWordingsArePinned() throws Exception {
        try (var connection = new DuckDBDriver().connect("jdbc:duckdb:", new java.util.Properties())) {
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
        try (var connection = new DuckDBDriver().connect("jdbc:duckdb:", new java.util.Properties());
                var statement = connection.createStatement()) {
            var error = org.assertj.core.api.Assertions.catchThrowableOfType(
                    SQLException.class, () -> statement.execute(sql));
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
        assertThat(DriverErrors.classify("test", error, LIMITS).facts().value(FactKey.PATH))
                .contains("/etc/passwd");
    }
}
