package dev.weighlock.app.log;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.core.spi.ContextAwareBase;

/**
 * Logging at start: nothing is written until a command says where ({@link ExecutionLogs}). Found by the logging library as a
 * service; saves it the search for files and the parsing of XML.
 */
public final class QuietConfigurator extends ContextAwareBase implements Configurator {
    /** For the service loader. */
    public QuietConfigurator() {}

    @Override
    public ExecutionStatus configure(LoggerContext context) {
        context.getLogger(Logger.ROOT_LOGGER_NAME).setLevel(Level.WARN);
        return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
    }
}
