package dev.weighlock.app.log;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.AppenderBase;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One file an execution, chosen by the event's context, else the execution that the process runs; opened at its first event, closed
 * with the appender. (Appending is serial.)
 */
final class FileAppender extends AppenderBase<ILoggingEvent> {
    /** Under this name the event's context carries the id of its execution. */
    static final String EXECUTION = "weighlock.execution";

    private final Path folder;
    private final Map<Path, BufferedWriter> writers = new HashMap<>();

    private volatile @Nullable String processExecution;

    FileAppender(Path folder) throws IOException {
        this.folder = Files.createDirectories(folder);
        setName("execution logs");
    }

    /** Events that name no execution belong to this one from now on. */
    void belongTo(long executionId) {
        processExecution = Long.toString(executionId);
    }

    @Override
    protected void append(ILoggingEvent event) {
        try {
            BufferedWriter writer = writer(fileOf(event.getMDCPropertyMap().get(EXECUTION)));
            writer.append(line(event)).append('\n');
            IThrowableProxy thrown = event.getThrowableProxy();
            if (thrown != null) {
                writer.append(ThrowableProxyUtil.asString(thrown)).append('\n');
            }
            writer.flush();
        } catch (IOException e) {
            addError("cannot write a log to " + folder, e); // a full disk must not end the work itself
        }
    }

    private Path fileOf(@Nullable String named) {
        String execution = named == null ? processExecution : named;
        boolean valid = execution != null && execution.matches("[0-9]{1,19}");
        return folder.resolve(valid ? execution + ".log" : LogFiles.PROCESS);
    }

    private BufferedWriter writer(Path file) throws IOException {
        BufferedWriter writer = writers.get(file);
        if (writer == null) {
            writer = Files.newBufferedWriter(
                    file, StandardCharsets.UTF_8, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
            writers.put(file, writer);
        }
        return writer;
    }

    private static String line(ILoggingEvent event) {
        Instant time = Instant.ofEpochMilli(event.getTimeStamp()).truncatedTo(ChronoUnit.MILLIS);
        String message = event.getFormattedMessage().replaceAll("[\\p{Cntrl}&&[^\n\t]]", " ");
        return time + " " + event.getLevel() + " [" + event.getThreadName() + "] "
                + event.getLoggerName().replaceFirst("^.*\\.", "") + ": " + message;
    }

    @Override
    public void stop() {
        super.stop();
        for (BufferedWriter writer : writers.values()) {
            try {
                writer.close();
            } catch (IOException e) {
                addError("cannot close a log", e);
            }
        }
        writers.clear();
    }
}
