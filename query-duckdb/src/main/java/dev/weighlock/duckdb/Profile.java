package dev.weighlock.duckdb;

import dev.weighlock.query.engine.StatementProfile;
import java.sql.SQLException;
import java.util.Optional;
import org.duckdb.DuckDBConnection;
import org.duckdb.ProfilerPrintFormat;

/**
 * The engine's own account of the statement that ended last on a connection. A statement that failed, broke off or was
 * interrupted has none, so its presence is proof that the statement ran to its end.
 *
 * @param json all of it, read further only when somebody asks
 */
record Profile(long bufferBytes, long tempBytes, String json) {
    private static final String GROUP = "system";
    private static final String BUFFER = "peak_buffer_memory";
    private static final String TEMP = "peak_temp_dir_size";

    /** The engine's names of the two figures. */
    static final String BUFFER_PEAK = GROUP + "." + BUFFER;

    static final String TEMP_PEAK = GROUP + "." + TEMP;

    static Optional<Profile> read(DuckDBConnection connection) throws SQLException {
        var json = connection.getProfilingInformation(ProfilerPrintFormat.JSON);
        var system = json.lastIndexOf(quoted(GROUP));
        if (system < 0) {
            return Optional.empty();
        }
        return Optional.of(new Profile(number(json, system, BUFFER), number(json, system, TEMP), json));
    }

    /** What its operators did. */
    StatementProfile operators() {
        return OperatorTree.read(json);
    }

    private static String quoted(String name) {
        return '"' + name + '"';
    }

    private static long number(String json, int from, String key) {
        var at = json.indexOf(quoted(key), from);
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
