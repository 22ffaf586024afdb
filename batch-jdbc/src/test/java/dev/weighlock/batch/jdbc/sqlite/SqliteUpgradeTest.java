package dev.weighlock.batch.jdbc.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weighlock.batch.BatchStatus;
import dev.weighlock.batch.repository.AuditEntry;
import dev.weighlock.batch.repository.AuditRecord;
import dev.weighlock.batch.repository.PurgeRule;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A file of version 1 with a record in it is brought forward, and stays as it was in a copy. */
class SqliteUpgradeTest {
    private static final String RECORD = """
            INSERT INTO repository VALUES (1, '8c2d1c9e-0b57-4b58-9d0e-1f1b5c8f3a10', 1);
            INSERT INTO node VALUES ('node-1', 'here', 42, 1);
            INSERT INTO definition VALUES ('d', 'nightly', 'java/1', 'job nightly', 1);
            INSERT INTO job VALUES (1, 'nightly', 1, 1, 7);
            INSERT INTO job_instance VALUES (3, 1, 'identity');
            INSERT INTO job_execution (id, job_id, instance_id, attempt, parameters, definition_digest, fingerprint,
                status, exit_code, version, epoch, owner_node, context, created_at, ended_at, failure_category, failure_id)
            VALUES (7, 1, 3, 1, '[]', 'd', 'f', 'FAILED', 'FAILED', 3, 1, 'node-1',
                '{"v":1,"values":{}}', 1000000, 2000000, 'STEP_FAILED', 'f-1');
            INSERT INTO audit_entry (id, execution_id, at, action, actor, detail)
            VALUES (5, 7, 1500000, 'stop', 'eve@here', '');
            PRAGMA application_id = %d;
            PRAGMA user_version = 1;
            """.formatted(SqliteSchema.APPLICATION_ID);

    @TempDir
    Path folder;

    private Path file;

    @BeforeEach
    void createVersionOne() throws Exception {
        file = folder.resolve("repository.db");
        try (var database = database(file);
                var connection = database.connect()) {
            SqliteDatabase.run(connection, "PRAGMA journal_mode = WAL");
            SqliteDatabase.run(connection, script());
            SqliteDatabase.run(connection, RECORD);
        }
    }

    private static SqliteDatabase database(Path path) {
        return new SqliteDatabase(path, Clock.systemUTC(), Duration.ofSeconds(1));
    }

    private static String script() throws IOException {
        try (var in = SqliteSchema.class.getResourceAsStream("V001.sql")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static long number(Path path, String query) throws SQLException {
        try (var database = database(path)) {
            return database.read(session -> session.sql(query).one(row -> row.number("n")));
        }
    }

    private List<Path> copies() throws IOException {
        try (var files = Files.newDirectoryStream(folder, "repository.db.version-1-*")) {
            return StreamSupport.stream(files.spliterator(), false)
                    .filter(path -> !path.toString().endsWith("-wal")
                            && !path.toString().endsWith("-shm"))
                    .toList();
        }
    }

    @Test
    void open_olderFile_keepsTheRecordAndUnderstandsWhatIsNew() {
        try (var repository = SqliteRepository.open(file)) {
            var execution = repository.execution(7).orElseThrow();

            assertThat(repository.id()).hasToString("8c2d1c9e-0b57-4b58-9d0e-1f1b5c8f3a10");
            assertThat(execution.status()).isEqualTo(BatchStatus.FAILED);
            assertThat(execution.endedAt()).contains(Instant.ofEpochSecond(2));
            assertThat(repository.auditTrail(7, 10))
                    .extracting(AuditRecord::entry)
                    .containsExactly(new AuditEntry("stop", "eve@here", ""));
            assertThat(repository.purgeable(new PurgeRule(Instant.now(), 0), Optional.empty(), 10))
                    .hasSize(1);
            assertThat(repository
                            .placeHold(execution, new AuditEntry("hold", "eve", "look"))
                            .reason())
                    .isEqualTo("look");
            assertThat(repository.purgeable(new PurgeRule(Instant.now(), 0), Optional.empty(), 10))
                    .isEmpty();
        }
    }

    @Test
    void open_olderFile_leavesACopyOfWhatItWas() throws Exception {
        SqliteRepository.open(file).close();
        SqliteRepository.open(file).close();

        assertThat(copies()).singleElement().satisfies(copy -> {
            assertThat(number(copy, "SELECT user_version AS n FROM pragma_user_version"))
                    .isEqualTo(1);
            assertThat(number(copy, "SELECT count(*) AS n FROM job_execution WHERE id = 7"))
                    .isEqualTo(1);
            assertThat(number(copy, "SELECT count(*) AS n FROM sqlite_master WHERE name = 'launch_request'"))
                    .isZero();
        });
        assertThat(number(file, "SELECT user_version AS n FROM pragma_user_version"))
                .isEqualTo(SqliteSchema.VERSION);
    }
}
