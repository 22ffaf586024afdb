package dev.weighlock.batch.jdbc.server;

import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.logging.Logger;
import javax.sql.DataSource;

/**
 * Makes the connections of a pool. The credentials are asked for at each one, so that a password which is changed while a
 * process runs needs no restart.
 *
 * <p>Thread-safe.
 *
 * @param opened what is done with each new connection before anybody gets it
 */
public record PoolSource(Server server, DataSource source, Opened opened) implements DataSource {
    /** Work on a connection that was just made; when it fails the connection is closed and used by nobody. */
    @FunctionalInterface
    public interface Opened {
        void accept(Connection made) throws SQLException;
    }

    /** Nothing is done with new connections. */
    public PoolSource(Server server, DataSource source) {
        this(server, source, made -> {});
    }

    @Override
    public Connection getConnection() throws SQLException {
        var made = server.connect(source);
        try {
            opened.accept(made);
            return made;
        } catch (SQLException | RuntimeException e) {
            made.close();
            throw e;
        }
    }

    /** No pool that this is made for names credentials. */
    @Override
    public Connection getConnection(String user, String password) {
        throw new UnsupportedOperationException("the credentials are those of " + server);
    }

    @Override
    public PrintWriter getLogWriter() throws SQLException {
        return source.getLogWriter();
    }

    @Override
    public void setLogWriter(PrintWriter out) throws SQLException {
        source.setLogWriter(out);
    }

    @Override
    public void setLoginTimeout(int seconds) throws SQLException {
        source.setLoginTimeout(seconds);
    }

    @Override
    public int getLoginTimeout() throws SQLException {
        return source.getLoginTimeout();
    }

    @Override
    public Logger getParentLogger() {
        return Logger.getLogger("dev.weighlock");
    }

    @Override
    public <T> T unwrap(Class<T> type) throws SQLException {
        return source.unwrap(type);
    }

    @Override
    public boolean isWrapperFor(Class<?> type) throws SQLException {
        return source.isWrapperFor(type);
    }
}
