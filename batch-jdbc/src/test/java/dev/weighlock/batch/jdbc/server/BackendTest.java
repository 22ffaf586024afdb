package dev.weighlock.batch.jdbc.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weighlock.batch.testkit.EmbeddedDatabase;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Nothing may be taken over from a server process that is still there. */
class BackendTest {
    private static String database;

    @BeforeAll
    static void prepare() throws Exception {
        database = EmbeddedDatabase.createDatabase();
        try (var connection = EmbeddedDatabase.connect(database);
                var statement = connection.createStatement()) {
            statement.execute("CREATE ROLE backend_elder LOGIN");
            statement.execute("CREATE ROLE backend_younger LOGIN");
        }
    }

    private static Connection connect(String role) throws SQLException {
        var server = new Server(
                EmbeddedDatabase.url(database), () -> Optional.of(role), () -> Optional.of("any"), Optional.empty());
        return server.connect(server.source("-c TimeZone=UTC"));
    }

    @Test
    void end_ofTheSameRolesProcess_leavesNothing() throws Exception {
        try (var elder = connect("backend_elder");
                var again = connect("backend_elder")) {
            var backend = Backend.of(elder);

            backend.end(again);
            backend.end(again);

            assertThat(elder.isValid(10)).isFalse();
        }
    }

    @Test
    void end_ofAProcessThatTheRoleMayNotSee_isRefused() throws Exception {
        try (var elder = connect("backend_elder");
                var younger = connect("backend_younger")) {
            var backend = Backend.of(elder);

            assertThatThrownBy(() -> backend.end(younger))
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("server process " + backend.pid());

            assertThat(elder.isValid(10)).isTrue();
        }
    }

    @Test
    void end_ofAProcessThatStandsStill_isRefused() throws Exception {
        try (var elder = connect("backend_elder");
                var again = connect("backend_elder")) {
            var backend = Backend.of(elder);
            signal("STOP", backend);
            try {
                assertThatThrownBy(() -> backend.end(again, 200)).hasMessageContaining("does not end");
            } finally {
                signal("CONT", backend);
            }
        }
    }

    @Test
    void end_ofAnUnseenProcessWithTheNumberOfOneThatTheServerDidNotOutlive_leavesItAlone() throws Exception {
        try (var elder = connect("backend_elder");
                var younger = connect("backend_younger")) {
            new Backend(Backend.of(elder).pid(), "2000-01-01 00:00:00+00").end(younger);

            assertThat(elder.isValid(10)).isTrue();
        }
    }

    private static void signal(String name, Backend backend) throws IOException, InterruptedException {
        var kill = new ProcessBuilder("kill", "-" + name, Long.toString(backend.pid()))
                .inheritIO()
                .start();
        assertThat(kill.waitFor(300, TimeUnit.SECONDS)).isTrue();
        assertThat(kill.exitValue()).isZero();
    }

    @Test
    void end_ofAYoungerProcessOfTheSameNumber_leavesItAlone() throws Exception {
        try (var elder = connect("backend_elder");
                var again = connect("backend_elder")) {
            new Backend(Backend.of(elder).pid(), "2000-01-01 00:00:00+00").end(again);

            assertThat(elder.isValid(10)).isTrue();
        }
    }
}
