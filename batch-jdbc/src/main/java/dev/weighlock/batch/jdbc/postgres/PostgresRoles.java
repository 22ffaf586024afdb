package dev.weighlock.batch.jdbc.postgres;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** The roles that a repository's users need, each with the least rights: owner, worker, operator, viewer. */
public final class PostgresRoles {
    private PostgresRoles() {}

    /** SQL that makes the roles and gives them their rights; it may be run again after every migration. */
    public static String script() {
        try (var in = PostgresRoles.class.getResourceAsStream("roles.sql")) {
            if (in == null) {
                throw new IllegalStateException("the program lacks roles.sql");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("roles.sql cannot be read", e);
        }
    }
}
