package dev.weighlock.app.log;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.LongConsumer;
import org.slf4j.ILoggerFactory;
import org.slf4j.LoggerFactory;

/** Turns the program's logging into files of the state folder. */
public final class ExecutionLogs implements AutoCloseable {
    private final LongConsumer owner;
    private final Runnable detach;

    private ExecutionLogs(LongConsumer owner, Runnable detach) {
        this.owner = owner;
        this.detach = detach;
    }

    /** From now on, until it is closed, events of an execution go to its file, others to the process's file. */
    public static ExecutionLogs writeTo(Path folder) throws IOException {
        ILoggerFactory factory = LoggerFactory.getILoggerFactory();
        if (!(factory instanceof LoggerContext context)) {
            return new ExecutionLogs(id -> {}, () -> {}); // an embedder brought another logging library
        }
        FileAppender appender = new FileAppender(folder);
        appender.setContext(context);
        appender.start();
        Logger root = context.getLogger(Logger.ROOT_LOGGER_NAME);
        root.setLevel(Level.INFO);
        root.addAppender(appender);
        return new ExecutionLogs(appender::belongTo, () -> {
            root.detachAppender(appender);
            appender.stop();
        });
    }

    /** Events that name no execution belong to this one from now on: the process runs it. */
    public void belongTo(long executionId) {
        owner.accept(executionId);
    }

    @Override
    public void close() {
        detach.run();
    }
}
