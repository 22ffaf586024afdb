package dev.weighlock.batch.jdbc.postgres;

import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.logging.Logger;
import javax.sql.DataSource;

/** Makes the pool's connections and records the server process behind each. Thread-safe. */
record RecordedSource(DataSource source, NodeBackends backends) implements DataSource {
    @Override
    public Connection getConnection() throws SQLException {
        return recorded(source.getConnection());
    }

    @Override
    public Connection getConnection(String user, String password) throws SQLException {
        return recorded(source.getConnection(user, password));
    }

    private Connection recorded(Connection made) throws SQLException {
        try {
            backends.opened(made);
            return made;
        } catch (SQLException | RuntimeException e) {
            made.close();
            throw e;
        }
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
