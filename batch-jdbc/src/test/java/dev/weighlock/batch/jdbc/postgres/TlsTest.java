package dev.weighlock.batch.jdbc.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.weighlock.batch.BatchError;
import dev.weighlock.batch.BatchException;
import dev.weighlock.batch.jdbc.server.Server;
import dev.weighlock.batch.testkit.EmbeddedDatabase;
import dev.weighlock.batch.testkit.EmbeddedServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server with a certificate for {@code localhost}: whoever asks for proof gets it, or no connection. */
class TlsTest {
    @TempDir
    static Path folder;

    private static EmbeddedServer server;

    @BeforeAll
    static void start() throws Exception {
        certificate("server", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost");
        certificate("stranger", "/CN=stranger");
        Files.setPosixFilePermissions(folder.resolve("server.key"), PosixFilePermissions.fromString("rw-------"));
        server = EmbeddedServer.start(builder -> builder.setServerConfig("ssl", "on")
                .setServerConfig("ssl_cert_file", folder.resolve("server.pem").toString())
                .setServerConfig("ssl_key_file", folder.resolve("server.key").toString()));
    }

    /** Signed by itself, so that it is its own authority. */
    private static void certificate(String name, String subject, String... more) throws Exception {
        var command = new ArrayList<>(List.of(
                "openssl",
                "req",
                "-x509",
                "-newkey",
                "rsa:2048",
                "-nodes",
                "-days",
                "2",
                "-subj",
                subject,
                "-keyout",
                folder.resolve(name + ".key").toString(),
                "-out",
                folder.resolve(name + ".pem").toString()));
        command.addAll(List.of(more));
        var process = new ProcessBuilder(command).redirectErrorStream(true).start();
        var output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (!process.waitFor(300, TimeUnit.SECONDS) || process.exitValue() != 0) {
            throw new IOException("openssl failed: " + output);
        }
    }

    private static PostgresSettings settings(String host, String mode, String authority) {
        var tls = new Server.Tls(mode, Optional.of(folder.resolve(authority + ".pem")));
        return PostgresSettings.of(new Server(
                "postgresql://" + host + ":" + server.port() + "/postgres",
                () -> Optional.of(EmbeddedDatabase.USER),
                () -> Optional.of("any"),
                Optional.of(tls)));
    }

    private static BatchException refusal(PostgresSettings settings) {
        return catchThrowableOfType(BatchException.class, () -> new PostgresSchema(settings).status());
    }

    @Test
    void verifyFull_ofTheServersOwnAuthorityAndName_isEncrypted() {
        try (var database = new PostgresDatabase(settings("localhost", "verify-full", "server"))) {
            assertThat(database.<String>read(session -> session.sql(
                                    "SELECT CAST(ssl AS text) AS ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()")
                            .one(row -> row.text("ssl"))))
                    .isEqualTo("true");
        }
    }

    @Test
    void verifyFull_ofAnotherAuthority_isRefused() {
        assertThat(refusal(settings("localhost", "verify-full", "stranger")).error())
                .isEqualTo(BatchError.REPOSITORY_UNAVAILABLE);
    }

    @Test
    void verifyFull_underAnotherName_isRefusedAndVerifyCaIsNot() {
        assertThat(refusal(settings("127.0.0.1", "verify-full", "server")).error())
                .isEqualTo(BatchError.REPOSITORY_UNAVAILABLE);
        assertThat(new PostgresSchema(settings("127.0.0.1", "verify-ca", "server")).status())
                .isNotNull();
    }
}
