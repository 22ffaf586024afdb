package dev.weighlock.app.log;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Where logs stand: one file an execution, one for all that belongs to none. */
public final class LogFiles {
    static final String PROCESS = "wl.log";

    private static final Logger LOG = LoggerFactory.getLogger(LogFiles.class);

    private LogFiles() {}

    /** Removes logs of executions that nothing was written to for so long; what cannot be removed stays. */
    public static void removeOlder(Path folder, Duration keep) {
        Instant oldest = Instant.now().minus(keep);
        try (DirectoryStream<Path> logs = Files.newDirectoryStream(folder, "[0-9]*.log")) {
            for (Path log : logs) {
                if (Files.getLastModifiedTime(log).toInstant().isBefore(oldest)) {
                    Files.deleteIfExists(log);
                }
            }
        } catch (IOException | DirectoryIteratorException left) {
            LOG.warn("old logs in {} could not be removed", folder, left);
        }
    }

    public static Path of(Path folder, long executionId) {
        return folder.resolve(executionId + ".log");
    }
}
