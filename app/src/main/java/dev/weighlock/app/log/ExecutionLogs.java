package dev.weighlock.app.log;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import java.io.IOException;
import java.nio.file.Path;
import org.slf4j.ILoggerFactory;
import org.slf4j.LoggerFactory;

/** Turns the program's logging into files of the state folder. */
public final class ExecutionLogs implements AutoCloseable {
    private final Runnable detach;

    private ExecutionLogs(Runnable detach) {
        this.detach = detach;
    }

    /** From now on, until it is closed, events of an execution go to its file, others to the process's file. */
    public static ExecutionLogs writeTo(Path folder) throws IOException {
        ILoggerFactory factory = LoggerFactory.getILoggerFactory();
        if (!(factory instanceof LoggerContext context)) {
            return new ExecutionLogs(() -> {}); // an embedder brought another logging library
        }
        FileAppender appender = new FileAppender(folder);
        appender.setContext(context);
        appender.start();
        Logger root = context.getLogger(Logger.ROOT_LOGGER_NAME);
        root.setLevel(Level.INFO);
        root.addAppender(appender);
        return new ExecutionLogs(() -> {
            root.detachAppender(appender);
            appender.stop();
        });
    }

    @Override
    public void close() {
        detach.run();
    }
}
