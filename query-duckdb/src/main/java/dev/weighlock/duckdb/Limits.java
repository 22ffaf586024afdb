package dev.weighlock.duckdb;

import dev.weighlock.query.engine.SessionRequest;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** A session's limits, and what to tell whoever meets them. */
record Limits(long grantBytes, long engineBytes, long resultBytes, long tempBytes, List<Path> folders) {
    Limits {
        folders = List.copyOf(folders);
    }

    static Limits of(SessionRequest request) {
        return new Limits(
                request.grantBytes(),
                request.engineBytes(),
                request.resultAllowanceBytes(),
                request.tempLimitBytes(),
                request.readDirectories());
    }

    /** How far the engine runs ahead of its reader; the rest of the allowance is the reader's. */
    long streamingBytes() {
        return resultBytes / 4;
    }

    /** The most that the rows of one chunk may take: wide ones need more than the allowance, and never half a grant. */
    long chunkBytes() {
        return Math.max(resultBytes, grantBytes / 2);
    }

    /** Whether a path, however it is spelled, leads out of the folders that may be read. */
    boolean isOutside(String path) {
        try {
            var file = Path.of(path).normalize();
            return file.isAbsolute() && folders.stream().noneMatch(file::startsWith);
        } catch (InvalidPathException noPath) {
            return false;
        }
    }

    String memoryRemedy() {
        return "the query does not fit in its cap of " + size(grantBytes) + " (" + size(engineBytes)
                + " for the engine, " + size(resultBytes)
                + " for its rows) and cannot go on by spilling to disk; give it a larger cap";
    }

    String tempRemedy() {
        return "the query does not fit in its cap of " + size(grantBytes) + " and has spilled all of its temp limit of "
                + size(tempBytes) + "; give it a larger cap or a larger temp limit";
    }

    String resultRemedy() {
        return "rows fetched at once do not fit in the " + size(chunkBytes()) + " that the cap of " + size(grantBytes)
                + " leaves for rows; give the query a larger cap, select less or write the rows to a file";
    }

    String arrowRemedy() {
        return "one batch of Arrow rows does not fit in the " + size(resultBytes) + " that the cap of "
                + size(grantBytes) + " leaves for rows; give the query a larger cap or select less";
    }

    /** As {@code 64MiB} where it is whole, else with one digit. */
    static String size(long bytes) {
        var unit = bytes >= 1L << 30 ? 30 : bytes >= 1L << 20 ? 20 : 10;
        var name = unit == 30 ? "GiB" : unit == 20 ? "MiB" : "KiB";
        return bytes % (1L << unit) == 0
                ? (bytes >> unit) + name
                : String.format(Locale.ROOT, "%.1f%s", bytes / (double) (1L << unit), name);
    }
}
