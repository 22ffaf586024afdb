package dev.weighlock.app.prove.stand;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weighlock.app.exit.CommandFailure;
import dev.weighlock.app.exit.ExitCode;
import dev.weighlock.batch.jdbc.postgres.PostgresSchema;
import dev.weighlock.batch.jdbc.postgres.PostgresSettings;
import dev.weighlock.batch.testkit.EmbeddedDatabase;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whose a database is for the time of a campaign, and whose a schema in it is. */
class TargetTest {
    @TempDir
    Path folder;

    private static Target server(String database, Path folder) {
        return Targets.named(EmbeddedDatabase.url(database), Map.of("PGUSER", EmbeddedDatabase.USER), folder, folder);
    }

    private static void run(String database, String... statements) throws SQLException {
        try (var connection = EmbeddedDatabase.connect(database);
                var statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }

    @Test
    void schemaThatACampaignLeft_isMadeAnewAndRemoved() throws Exception {
        String database = EmbeddedDatabase.createDatabase();
        try (Target target = server(database, folder)) {
            target.makeSchema();
            Bodies.makeTable(target);

            target.makeSchema();
            Bodies.makeTable(target);
            target.removeSchema();
        }
        run(database, "CREATE SCHEMA weighlock_prove");
    }

    @Test
    void schemaOfSomebodyElse_isRefusedAndStays() throws Exception {
        String database = EmbeddedDatabase.createDatabase();
        new PostgresSchema(PostgresSettings.of(
                        EmbeddedDatabase.url(database), () -> Optional.of(EmbeddedDatabase.USER), Optional::empty))
                .migrate();
        run(database, "CREATE SCHEMA weighlock_prove", "CREATE TABLE weighlock_prove.mine AS SELECT 1 AS one");
        try (Target target = server(database, folder)) {
            assertThatThrownBy(() -> Stand.begin(target))
                    .isInstanceOfSatisfying(
                            CommandFailure.class,
                            refused -> assertThat(refused.code()).isEqualTo(ExitCode.REFUSED))
                    .hasMessageContaining("the schema weighlock_prove in ")
                    .hasMessageContaining("was not made by a campaign");
            assertThatThrownBy(target::removeSchema).isInstanceOf(CommandFailure.class);
        }
        run(database, "SELECT one FROM weighlock_prove.mine");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void campaigns_takeTurns(boolean onServer) throws Exception {
        String database = onServer ? EmbeddedDatabase.createDatabase() : "";
        String url = "sqlite:" + folder.resolve("jobs.db");
        try (Target first = onServer ? server(database, folder) : Targets.named(url, Map.of(), folder, folder);
                Target second = onServer ? server(database, folder) : Targets.named(url, Map.of(), folder, folder)) {
            Target.Turn turn = first.turn().orElseThrow();

            assertThat(second.turn()).isEmpty();

            turn.close();
            second.turn().orElseThrow().close();
        }
        try (var left = Files.list(folder)) {
            assertThat(left).isEmpty();
        }
    }
}
