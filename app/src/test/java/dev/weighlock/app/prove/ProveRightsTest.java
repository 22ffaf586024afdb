package dev.weighlock.app.prove;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weighlock.app.command.WlProcess;
import dev.weighlock.app.command.WlProcess.Outcome;
import dev.weighlock.batch.jdbc.postgres.PostgresRoles;
import dev.weighlock.batch.jdbc.postgres.PostgresSchema;
import dev.weighlock.batch.jdbc.postgres.PostgresSettings;
import dev.weighlock.batch.testkit.EmbeddedDatabase;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A campaign on somebody's PostgreSQL needs the rights of the tables' owner, and says so before it begins. */
class ProveRightsTest {
    @TempDir
    Path folder;

    private String database = "";

    @BeforeEach
    void makeDatabase() throws Exception {
        database = EmbeddedDatabase.createDatabase();
        run(PostgresRoles.script());
        for (String role : new String[] {"owner", "worker"}) {
            run("DROP ROLE IF EXISTS prover_" + role);
            run("CREATE ROLE prover_" + role + " LOGIN IN ROLE weighlock_" + role);
        }
        // Migrations make the tables the role's; whoever runs jobs does so as the user who logged in.
        run("ALTER ROLE prover_owner SET role = weighlock_owner");
        new PostgresSchema(PostgresSettings.of(
                        EmbeddedDatabase.url(database), () -> Optional.of("prover_owner"), Optional::empty))
                .migrate();
        run("ALTER ROLE prover_owner RESET role");
        run(PostgresRoles.script());
    }

    private void run(String sql) throws SQLException {
        try (var connection = EmbeddedDatabase.connect(database);
                var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private Outcome prove(String user) throws Exception {
        try (WlProcess wl = WlProcess.start(
                folder,
                Map.of("PGUSER", user),
                "prove",
                "cancellation",
                "--repository",
                EmbeddedDatabase.url(database),
                "--set",
                "partitions=24",
                "--set",
                "work=200ms",
                "--set",
                "deadlines=5s")) {
            return wl.await();
        }
    }

    @Test
    void worker_isRefused_andTheOwnerPassesOnceItMayMakeASchema() throws Exception {
        Outcome worker = prove("prover_worker");
        assertThat(worker.code()).as(worker.out()).isEqualTo(3);
        assertThat(worker.err()).contains("permission denied", "weighlock_owner");
        Outcome owner = prove("prover_owner");
        assertThat(owner.code()).as(owner.out()).isEqualTo(3);
        assertThat(owner.err()).contains("weighlock_prove", "GRANT CREATE ON DATABASE");

        run("GRANT CREATE ON DATABASE " + database + " TO weighlock_owner");

        Outcome allowed = prove("prover_owner");
        assertThat(allowed.code()).as(allowed.out() + allowed.err()).isZero();
        assertThat(allowed.out()).contains("4 of 4 reports passed");
    }
}
