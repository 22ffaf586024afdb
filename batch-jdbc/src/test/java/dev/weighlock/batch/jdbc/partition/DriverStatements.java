package dev.weighlock.batch.jdbc.partition;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.LoggerFactory;

/** Counts what SQLite's driver hands to the database: its own trace tells of every statement of every connection. */
final class DriverStatements extends AppenderBase<ILoggingEvent> implements AutoCloseable {
    private final Logger driver = (Logger) LoggerFactory.getLogger("org.sqlite.core.NativeDB");
    private final LongAdder all = new LongAdder();
    private final LongAdder stopping = new LongAdder();

    private DriverStatements() {}

    static DriverStatements count() {
        DriverStatements counter = new DriverStatements();
        counter.start();
        counter.driver.setLevel(Level.TRACE);
        counter.driver.setAdditive(false);
        counter.driver.addAppender(counter);
        return counter;
    }

    @Override
    protected void append(ILoggingEvent event) {
        String text = event.getFormattedMessage();
        // The watch for stops looks by time, not by work.
        if (!text.contains("data_version") && !text.contains("stop_requested_at IS NOT NULL")) {
            all.increment();
        }
        if (text.contains("SET status = 'STOPPED'") && text.contains("partition_execution")) {
            stopping.increment();
        }
    }

    long all() {
        return all.sum();
    }

    /** Statements that end partitions which nobody began. */
    long stopping() {
        return stopping.sum();
    }

    @Override
    public void close() {
        driver.detachAppender(this);
        stop();
    }
}
