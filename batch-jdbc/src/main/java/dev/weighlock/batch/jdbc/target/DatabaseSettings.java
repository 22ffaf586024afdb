package dev.weighlock.batch.jdbc.target;

import dev.weighlock.batch.jdbc.server.Server;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * How to reach a database. Credentials are asked for when a connection is made and kept nowhere else.
 *
 * @param name what jobs and messages call it
 * @param url {@code sqlite:PATH} or {@code postgresql://HOST[:PORT]/DATABASE}
 * @param createCheckpoint whether the checkpoint table may be made where it is missing
 */
public record DatabaseSettings(
        String name,
        String url,
        Supplier<Optional<String>> user,
        Supplier<Optional<String>> password,
        Optional<Server.Tls> tls,
        boolean createCheckpoint) {

    Server server() {
        return new Server(url, user, password, tls);
    }

    /** A SQLite file, which needs no credentials. */
    public static DatabaseSettings sqlite(String name, Path file, boolean createCheckpoint) {
        return new DatabaseSettings(
                name, "sqlite:" + file, Optional::empty, Optional::empty, Optional.empty(), createCheckpoint);
    }

    /** Without credentials. */
    @Override
    public String toString() {
        return "DatabaseSettings[" + name + "]";
    }
}
