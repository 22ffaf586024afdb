package dev.weighlock.batch.jdbc.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.weighlock.batch.BatchError;
import dev.weighlock.batch.BatchException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SqliteSchemaTest {
    @TempDir
    Path folder;

    private Path file;

    @BeforeEach
    void nameFile() {
        file = folder.resolve("private").resolve("repository.db");
    }

    private void run(String sql) throws SQLException {
        try (var database = new SqliteDatabase(file, Clock.systemUTC(), Duration.ofSeconds(1));
                var connection = database.connect()) {
            SqliteDatabase.run(connection, sql);
        }
    }

    private String pragma(String name) {
        try (var database = new SqliteDatabase(file, Clock.systemUTC(), Duration.ofSeconds(1))) {
            return database.read(session -> session.sql("PRAGMA " + name).one(row -> row.text(name)));
        }
    }

    @Test
    void open_newFile_isPrivateDurableAndKeepsItsId() throws Exception {
        try (var repository = SqliteRepository.open(file);
                var again = SqliteRepository.open(file)) {
            assertThat(again.id()).isEqualTo(repository.id());
        }
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file.getParent())))
                .isEqualTo("rwx------");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        assertThat(pragma("journal_mode")).isEqualTo("wal");
        assertThat(pragma("synchronous")).isEqualTo("2");
        assertThat(pragma("foreign_keys")).isEqualTo("1");
    }

    @Test
    void open_newFileByManyAtOnce_isCreatedOnce() throws Exception {
        try (var executor = Executors.newFixedThreadPool(4)) {
            Callable<String> open = () -> {
                try (var repository = SqliteRepository.open(file)) {
                    return repository.id().toString();
                }
            };
            var opened =
                    executor.invokeAll(IntStream.range(0, 4).mapToObj(i -> open).toList());

            for (var id : opened) {
                assertThat(id.get()).isEqualTo(opened.getFirst().get());
            }
        }
    }

    @Test
    void open_newerSchema_isRefusedAndLeftAlone() throws Exception {
        SqliteRepository.open(file).close();
        run("PRAGMA user_version = " + (SqliteSchema.VERSION + 1));

        var refusal = catchThrowableOfType(BatchException.class, () -> SqliteRepository.open(file));

        assertThat(refusal.error()).isEqualTo(BatchError.SCHEMA_VERSION);
        assertThat(refusal).hasMessageContaining("newer").hasMessageContaining(file.toString());
        assertThat(pragma("user_version")).isEqualTo("" + (SqliteSchema.VERSION + 1));
    }

    @Test
    void open_fileOfAnotherProgram_isRefused() throws Exception {
        Files.createDirectories(file.getParent());
        run("CREATE TABLE shopping (item TEXT)");

        var refusal = catchThrowableOfType(BatchException.class, () -> SqliteRepository.open(file));

        assertThat(refusal.error()).isEqualTo(BatchError.SCHEMA_VERSION);
    }

    @Test
    void open_notADatabase_isUnavailable() throws Exception {
        Files.createDirectories(file.getParent());
        Files.writeString(file, "a letter to my aunt, long enough to be no empty file ".repeat(50));

        var refusal = catchThrowableOfType(BatchException.class, () -> SqliteRepository.open(file));

        assertThat(refusal.error()).isEqualTo(BatchError.REPOSITORY_UNAVAILABLE);
    }

    @Test
    void everyForeignKey_hasAnIndex() throws Exception {
        SqliteRepository.open(file).close();
        try (var database = new SqliteDatabase(file, Clock.systemUTC(), Duration.ofSeconds(1))) {
            var uncovered = database.read(session -> session.sql("""
                            SELECT m.name || '.' || f."from" AS reference
                            FROM sqlite_master m JOIN pragma_foreign_key_list(m.name) f
                            WHERE m.type = 'table' AND NOT EXISTS (
                                SELECT 1 FROM pragma_index_list(m.name) l JOIN pragma_index_info(l.name) i
                                WHERE i.seqno = 0 AND i.name = f."from" AND l.partial = 0)
                            """).list(row -> row.text("reference")));
            assertThat(uncovered).isEmpty();
        }
    }
}
