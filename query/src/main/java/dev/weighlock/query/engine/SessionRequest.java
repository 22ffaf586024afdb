package dev.weighlock.query.engine;

import java.nio.file.Path;
import java.time.ZoneId;
import java.util.List;

/**
 * What a session may use.
 *
 * @param attemptId names the session's files and threads
 * @param grantBytes all the memory of the attempt; the session's own limit is this less {@link #resultAllowanceBytes}
 * @param readDirectories absolute folders whose files, and those below, may be read
 * @param writeDirectories absolute folders in which the runtime's declared outputs may be written
 * @param timeZone of SQL dates and times
 * @param tempLimitBytes how much the session may spill to disk
 * @param dataSets that the session's statement reads; nobody changes or removes their files before the release
 */
public record SessionRequest(
        String attemptId,
        long grantBytes,
        List<Path> readDirectories,
        List<Path> writeDirectories,
        ZoneId timeZone,
        long tempLimitBytes,
        List<DataSet> dataSets) {
    /** The smallest grant that an engine is asked to work in. */
    public static final long MIN_GRANT_BYTES = 32L << 20;

    private static final long MIN_RESULT_ALLOWANCE_BYTES = 16L << 20;

    public SessionRequest {
        if (grantBytes < MIN_GRANT_BYTES) {
            throw new IllegalArgumentException("a grant of " + grantBytes + " bytes is under 32 MiB");
        }
        if (tempLimitBytes < 0) {
            throw new IllegalArgumentException("a negative temp limit: " + tempLimitBytes);
        }
        readDirectories = absolute(readDirectories);
        writeDirectories = absolute(writeDirectories);
        dataSets = List.copyOf(dataSets);
    }

    /** Without data sets. */
    public SessionRequest(
            String attemptId,
            long grantBytes,
            List<Path> readDirectories,
            List<Path> writeDirectories,
            ZoneId timeZone,
            long tempLimitBytes) {
        this(attemptId, grantBytes, readDirectories, writeDirectories, timeZone, tempLimitBytes, List.of());
    }

    /** The part of the grant that produced and unread rows may fill: an eighth, at least 16 MiB. */
    public long resultAllowanceBytes() {
        return Math.max(MIN_RESULT_ALLOWANCE_BYTES, grantBytes / 8);
    }

    /** The part of the grant that is the engine's own memory limit. */
    public long engineBytes() {
        return grantBytes - resultAllowanceBytes();
    }

    private static List<Path> absolute(List<Path> directories) {
        for (var directory : directories) {
            if (!directory.isAbsolute()) {
                throw new IllegalArgumentException("the directory " + directory + " is not absolute");
            }
        }
        return List.copyOf(directories);
    }
}
