package dev.weighlock.duckdb;

import java.nio.file.Path;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The settings that close an instance. */
final class LockDown {
    private LockDown() {}

    /**
     * The order matters: external access is closed after the folders are known, the configuration is locked last. The
     * temp limit must be SET, and after the directory: as an opening property it shows in the settings and limits nothing.
     * Files are not kept in memory for a next query, because nothing would be charged for them. The profile holds the
     * operators and what {@link Profile} reads: all of its figures would take a small query a tenth of its time.
     */
    static List<String> settings(Instance.Spec spec, @Nullable Path tempDirectory) {
        var settings = new ArrayList<String>();
        if (tempDirectory == null) {
            settings.add("SET temp_directory = ''");
        } else {
            settings.add("SET temp_directory = " + SqlLiteral.of(tempDirectory));
            settings.add("SET max_temp_directory_size = '" + spec.tempLimitBytes() + "B'");
        }
        settings.add("SET allowed_directories = " + SqlLiteral.folders(spec.folders()));
        settings.add("SET allowed_paths = []");
        settings.add("SET TimeZone = " + SqlLiteral.of(zoneName(spec.timeZone())));
        settings.add("SET Calendar = 'gregorian'");
        settings.add("SET max_streaming_buffer_size = '" + spec.streamingBytes() + "B'");
        settings.add("SET enable_external_file_cache = false");
        settings.add("SET enable_profiling = 'no_output'");
        settings.add("SET profiling_coverage = 'ALL'");
        settings.add(
                "SET tracked_metrics = ['operator.*', '" + Profile.BUFFER_PEAK + "', '" + Profile.TEMP_PEAK + "']");
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
