package dev.weighlock.duckdb;

import java.sql.SQLException;
import java.util.Optional;
import org.duckdb.DuckDBConnection;
import org.duckdb.ProfilerPrintFormat;

/**
 * The engine's own account of the statement that ended last on a connection. A statement that failed, broke off or was
 * interrupted has none, so its presence is proof that the statement ran to its end.
 */
record Profile(long bufferBytes, long tempBytes) {

    static Optional<Profile> read(DuckDBConnection connection) throws SQLException {
        var json = connection.getProfilingInformation(ProfilerPrintFormat.JSON);
        var system = json.lastIndexOf("\"system\"");
        if (system < 0) {
            return Optional.empty();
        }
        return Optional.of(new Profile(
                number(json, system, "\"peak_buffer_memory\""), number(json, system, "\"peak_temp_dir_size\"")));
    }

    private static long number(String json, int from, String key) {
        var at = json.indexOf(key, from);
        if (at < 0) {
            throw new IllegalStateException("the profile lacks " + key);
        }
        var start = json.indexOf(':', at) + 1;
        var end = start;
        while (" 0123456789".indexOf(json.charAt(end)) >= 0) {
            end++;
        }
        return Long.parseLong(json.substring(start, end).strip());
    }
}
