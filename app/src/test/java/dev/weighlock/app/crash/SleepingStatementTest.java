package dev.weighlock.app.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weighlock.app.command.WlProcess;
import dev.weighlock.app.command.WlProcess.Outcome;
import dev.weighlock.batch.BatchStatus;
import dev.weighlock.batch.testkit.EmbeddedDatabase;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A stop while a statement of a job sleeps in a database: the statement is cancelled there, not only left alone here. */
class SleepingStatementTest {
    @TempDir
    Path folder;

    @Test
    void stop_ofASourceAsleepInTheDatabase_cancelsItsStatement() throws Exception {
        String database = EmbeddedDatabase.createDatabase();
        Files.writeString(
                folder.resolve("weighlock.yaml"), """
                connections:
                  dw: {url: "%s", user: "%s", password: any}
                """.formatted(EmbeddedDatabase.url(database), EmbeddedDatabase.USER));
        Files.writeString(folder.resolve("job.yaml"), """
                job: asleep
                steps:
                  - id: fetch
                    source:
                      connection: dw
                      sql: SELECT 1 AS id FROM pg_sleep(600)
                      order_by: [id]
                      output: {parquet: out.parquet}
                      cap: 64MiB
                """);
        try (WlProcess run = WlProcess.start(folder, Map.of(), "run", "job.yaml")) {
            run.awaitThat("the statement sleeps", () -> sleeping(database) == 1);

            assertThat(WlProcess.run(folder, "stop", "1").code()).isZero();
            Outcome ended = run.await();

            assertThat(ended.code()).as(ended.err()).isEqualTo(131);
        }
        assertThat(sleeping(database)).isZero();
        assertThat(new ShopRecord(folder.resolve(".weighlock/repository.db")).status(1))
                .isEqualTo(BatchStatus.STOPPED);
        assertThat(folder.toFile().list()).doesNotContain("out.parquet");
    }

    private static long sleeping(String database) {
        try (var connection = DriverManager.getConnection(
                        "jdbc:" + EmbeddedDatabase.url(database), EmbeddedDatabase.USER, "any");
                var statement = connection.createStatement();
                var row = statement.executeQuery("SELECT count(*) FROM pg_stat_activity"
                        + " WHERE datname = current_database() AND wait_event = 'PgSleep'")) {
            row.next();
            return row.getLong(1);
        } catch (java.sql.SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
