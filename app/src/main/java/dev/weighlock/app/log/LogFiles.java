package dev.weighlock.app.log;

import java.nio.file.Path;

/** Where logs stand: one file an execution, one for all that belongs to none. */
public final class LogFiles {
    static final String PROCESS = "wl.log";

    private LogFiles() {}

    public static Path of(Path folder, long executionId) {
        return folder.resolve(executionId + ".log");
    }
}
