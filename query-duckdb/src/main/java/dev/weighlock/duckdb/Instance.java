package dev.weighlock.duckdb;

import java.nio.file.Path;
import java.sql.SQLException;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import org.duckdb.DuckDBConnection;
import org.duckdb.DuckDBDriver;
import org.jspecify.annotations.Nullable;

/**
 * Opens DuckDB instances in memory, locked down: nothing that runs in one can change a limit or reach a file outside its
 * folders.
 */
final class Instance {
    private Instance() {}

    /**
     * The fixed properties of an instance.
     *
     * @param tempDirectory its own and existing; null forbids spilling
     * @param tempLimitBytes how much it may spill
     * @param streamingBytes how far a streamed result may run ahead of its reader
     * @param folders whose files it may open, and those below
     */
    record Spec(
            long memoryBytes,
            int threads,
            @Nullable Path tempDirectory,
            long tempLimitBytes,
            long streamingBytes,
            List<Path> folders,
            ZoneId timeZone) {}

    static DuckDBConnection open(Spec spec) throws SQLException {
        var properties = new Properties();
        properties.setProperty("memory_limit", spec.memoryBytes() + "B");
        properties.setProperty("threads", Integer.toString(spec.threads()));
        properties.setProperty("async_threads", "1");
        properties.setProperty("jdbc_stream_results", "true");
        var connection = (DuckDBConnection) new DuckDBDriver().connect("jdbc:duckdb:", properties);
        try (var statement = connection.createStatement()) {
            for (var setting : lockDown(spec)) {
                statement.execute(setting);
            }
        } catch (SQLException | RuntimeException e) {
            connection.close();
            throw e;
        }
        return connection;
    }

    /**
     * The order matters: external access is closed after the folders are known, the configuration is locked last. The
     * temp limit must be SET, and after the directory: as an opening property it shows in the settings and limits nothing.
     */
    private static List<String> lockDown(Spec spec) {
        var settings = new ArrayList<String>();
        if (spec.tempDirectory() == null) {
            settings.add("SET temp_directory = ''");
        } else {
            settings.add("SET temp_directory = " + SqlLiteral.of(spec.tempDirectory()));
            settings.add("SET max_temp_directory_size = '" + spec.tempLimitBytes() + "B'");
        }
        settings.add("SET allowed_directories = " + SqlLiteral.folders(spec.folders()));
        settings.add("SET allowed_paths = []");
        settings.add("SET TimeZone = " + SqlLiteral.of(zoneName(spec.timeZone())));
        settings.add("SET Calendar = 'gregorian'");
        settings.add("SET max_streaming_buffer_size = '" + spec.streamingBytes() + "B'");
        settings.add("SET enable_profiling = 'no_output'");
        settings.add("SET profiling_coverage = 'ALL'");
        settings.add("SET enable_progress_bar = true");
        settings.add("SET enable_progress_bar_print = false");
        settings.add("SET progress_bar_time = 0");
        settings.add("SET autoinstall_known_extensions = false");
        settings.add("SET autoload_known_extensions = false");
        settings.add("SET allow_community_extensions = false");
        settings.add("SET enable_external_access = false");
        settings.add("SET lock_configuration = true");
        return settings;
    }

    private static String zoneName(ZoneId zone) {
        if (zone.normalized() instanceof ZoneOffset offset) {
            return offset.getTotalSeconds() == 0 ? "UTC" : "GMT" + offset.getId();
        }
        return zone.getId();
    }
}
