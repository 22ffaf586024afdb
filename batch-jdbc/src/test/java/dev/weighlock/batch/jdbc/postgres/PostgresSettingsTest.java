package dev.weighlock.batch.jdbc.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weighlock.batch.jdbc.server.Server;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PostgresSettingsTest {
    private static final PostgresSettings SETTINGS = TestStore.settings("postgresql://db.example/jobs");

    @ParameterizedTest
    @CsvSource({
        "postgresql://db.example/jobs, verify-full",
        "postgresql://192.0.2.7:5433/jobs, verify-full",
        "postgresql://localhost.example/jobs, verify-full",
        "postgresql://localhost/jobs,",
        "postgresql://127.0.0.1:5433/jobs,",
    })
    void tls_unsaid_isFullForEveryHostButThisOne(String url, String mode) {
        var server = new Server(url, Optional::empty, Optional::empty, Optional.empty());

        assertThat(server.source("").getSslmode()).isEqualTo(mode);
    }

    @Test
    void tls_said_isWhatWasSaid() {
        var tls = new Server.Tls("verify-ca", Optional.of(Path.of("/etc/ca.pem")));
        var source = new Server("postgresql://localhost/jobs", Optional::empty, Optional::empty, Optional.of(tls))
                .source("");

        assertThat(source.getSslmode()).isEqualTo("verify-ca");
        assertThat(source.getSslRootCert()).isEqualTo("/etc/ca.pem");
    }

    @Test
    void bounds_areChecked() {
        assertThatThrownBy(() -> SETTINGS.withPoolSize(0)).hasMessageContaining("1 to 200");
        assertThatThrownBy(() -> SETTINGS.withPoolSize(201)).hasMessageContaining("1 to 200");
        assertThatThrownBy(() -> SETTINGS.withSchema("a; DROP TABLE job")).hasMessageContaining("schema");
        assertThatThrownBy(() -> SETTINGS.withLease(Duration.ofSeconds(5), Duration.ofSeconds(14)))
                .hasMessageContaining("lease");
        assertThatThrownBy(() -> SETTINGS.withLease(Duration.ofMillis(100), Duration.ofSeconds(14)))
                .hasMessageContaining("heartbeat");
        assertThatThrownBy(() -> SETTINGS.withConnectTimeout(Duration.ofMillis(999)))
                .hasMessageContaining("connect timeout");
    }

    @Test
    void idleTransaction_endsBeforeTheLease() {
        assertThat(SETTINGS.withLease(Duration.ofSeconds(1), Duration.ofSeconds(3))
                        .options())
                .contains("idle_in_transaction_session_timeout=2000");
    }

    @Test
    void session_hasWhatTheSettingsSay() throws Exception {
        try (var store = TestStore.onNewest();
                var database = new PostgresDatabase(store.settings())) {
            assertThat(show(database, "statement_timeout")).isEqualTo("2min");
            assertThat(show(database, "lock_timeout")).isEqualTo("30s");
            assertThat(show(database, "idle_in_transaction_session_timeout")).isEqualTo("20s");
            assertThat(show(database, "application_name")).isEqualTo("weighlock");
            assertThat(show(database, "search_path")).isEqualTo(store.settings().schema() + ",public,pg_temp");
        }
    }

    private static String show(PostgresDatabase database, String name) {
        return database.read(session -> session.sql("SHOW " + name).one(row -> row.text(name)));
    }
}
