package dev.weighlock.batch.jdbc.server;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * How to reach a PostgreSQL database. Credentials are asked for when a connection is made and kept nowhere else.
 *
 * @param url {@code postgresql://HOST[:PORT]/DATABASE}
 */
public record Server(
        String url, Supplier<Optional<String>> user, Supplier<Optional<String>> password, Optional<Tls> tls) {
    public static final String PREFIX = "postgresql://";

    private static final Set<String> LOCAL = Set.of("localhost", "127.0.0.1", "[::1]");
    private static final String BAD_AUTHORIZATION = "28";
    private static final String BAD_CATALOG = "3D";

    /**
     * How a server proves who it is; without it, {@code verify-full} for a remote host and nothing for a local one.
     *
     * @param mode a PostgreSQL {@code sslmode}
     * @param ca file of the certificate authority
     */
    public record Tls(String mode, Optional<Path> ca) {}

    /** Makes plain connections with {@code options}, such as {@code -c TimeZone=UTC}; credentials are given by call. */
    public PGSimpleDataSource source(String options) {
        var source = new PGSimpleDataSource();
        source.setUrl("jdbc:" + url);
        source.setOptions(options);
        source.setReWriteBatchedInserts(true);
        source.setTcpKeepAlive(true);
        if (tls.isPresent()) {
            source.setSslmode(tls.get().mode());
            tls.get().ca().ifPresent(ca -> source.setSslRootCert(ca.toString()));
        } else if (!isLocal(source)) {
            source.setSslmode("verify-full");
        }
        return source;
    }

    private static boolean isLocal(PGSimpleDataSource source) {
        for (var server : source.getServerNames()) {
            if (!LOCAL.contains(server)) {
                return false;
            }
        }
        return true;
    }

    /** One connection of its own; what it throws tells no credential. */
    public Connection connect(DataSource source) throws SQLException {
        var name = user.get().orElse(null);
        try {
            return name == null
                    ? source.getConnection()
                    : source.getConnection(name, password.get().orElse(null));
        } catch (SQLException e) {
            throw withoutCredentials(e);
        }
    }

    /** Whether the server answered that it will not have this user or has no such database: waiting does not help. */
    public static boolean isRefusal(SQLException e) {
        var state = String.valueOf(e.getSQLState());
        return state.startsWith(BAD_AUTHORIZATION) || state.startsWith(BAD_CATALOG);
    }

    /** A server names the user that it refuses, and the credentials may be secrets: no cause carries them on either. */
    public SQLException withoutCredentials(SQLException failure) {
        var message = new StringBuilder();
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            var text = String.valueOf(cause.getMessage());
            if (message.indexOf(text) < 0) {
                message.append(message.isEmpty() ? "" : ": ").append(text);
            }
        }
        var hidden = hide(hide(message.toString(), user.get()), password.get());
        var clean = new SQLException(hidden, failure.getSQLState(), failure.getErrorCode());
        clean.setStackTrace(failure.getStackTrace());
        return clean;
    }

    private static String hide(String text, Optional<String> credential) {
        return credential
                .filter(value -> !value.isBlank())
                .map(value -> text.replaceAll("(?<!\\w)" + Pattern.quote(value) + "(?!\\w)", "***"))
                .orElse(text);
    }

    /** Without credentials. */
    @Override
    public String toString() {
        return url;
    }
}
