package dev.weighlock.batch.jdbc.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.weighlock.batch.BatchError;
import dev.weighlock.batch.BatchException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SqliteLockTest {
    @TempDir
    Path folder;

    @Test
    void write_whileAnotherHoldsTheLock_givesUpAndNamesTheProcess() {
        var file = folder.resolve("repository.db");
        SqliteRepository.open(file).close();
        try (var holder = new SqliteDatabase(file, Clock.systemUTC(), Duration.ofSeconds(10));
                var waiting = new SqliteDatabase(file, Clock.systemUTC(), Duration.ofMillis(50))) {
            var refusal = holder.write(
                    connection -> catchThrowableOfType(BatchException.class, () -> waiting.write(another -> "never")));

            assertThat(refusal.error()).isEqualTo(BatchError.REPOSITORY_UNAVAILABLE);
            assertThat(refusal)
                    .hasMessageContaining(file.toString())
                    .hasMessageContaining("process " + ProcessHandle.current().pid());
            assertThat(waiting.<String>write(connection -> "free again")).isEqualTo("free again");
        }
    }

    @Test
    void write_ofAnInterruptedThread_isDoneAndKeepsTheInterrupt() throws Exception {
        var file = folder.resolve("repository.db");
        try (var repository = SqliteRepository.open(file);
                var executor = Executors.newSingleThreadExecutor();
                var database = new SqliteDatabase(file, Clock.systemUTC(), Duration.ofSeconds(10))) {
            var id = repository.id();
            var interrupted = executor.submit(() -> {
                Thread.currentThread().interrupt();
                database.write(session ->
                        session.sql("UPDATE repository SET created_at = 7").update());
                return Thread.currentThread().isInterrupted();
            });

            assertThat(interrupted.get()).isTrue();
            assertThat(database.<Long>read(session ->
                            session.sql("SELECT created_at FROM repository").one(row -> row.number("created_at"))))
                    .isEqualTo(7);
            assertThat(repository.id()).isEqualTo(id);
        }
    }

    @Test
    void find_linesOfTheSystem_readsTheWriterOnly() {
        var locks = List.of(
                "1: POSIX  ADVISORY  READ  17 08:01:4711 128 128",
                "2: POSIX  ADVISORY  WRITE 18 08:01:4712 120 120",
                "3: FLOCK  ADVISORY  WRITE 19 08:01:4711 0 EOF",
                "4: POSIX  ADVISORY  WRITE 20 08:01:4711 121 121",
                "5: POSIX  ADVISORY  WRITE 21 08:01:4711 120 120",
                "5: -> POSIX  ADVISORY  WRITE 22 08:01:4711 120 120");

        assertThat(LockHolder.find(locks, 4711)).isEqualTo(OptionalLong.of(21));
        assertThat(LockHolder.find(locks, 9)).isEmpty();
    }
}
