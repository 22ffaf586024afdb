package dev.weighlock.batch.jdbc.target;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weighlock.batch.BatchError;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SqliteTargetTest extends ChunkTargetContract {
    @TempDir
    Path folder;

    @Override
    DatabaseSettings settings(boolean createCheckpoint) {
        return DatabaseSettings.sqlite("shop", folder.resolve("shop.db"), createCheckpoint);
    }

    @Test
    void commit_whileAnotherReads_waitsForTheReader() throws Exception {
        try (var target = database.chunkTarget();
                var reading = database.connect();
                var statement = reading.createStatement()) {
            target.acquire(KEY, 1);
            var rows = statement.executeQuery("SELECT * FROM sqlite_master");
            assertThat(rows.next()).isTrue();
            Thread.ofPlatform().start(() -> {
                try {
                    rows.close();
                } catch (SQLException e) {
                    throw new IllegalStateException(e);
                }
            });

            write(target, 1, 1);
        }
        assertThat(number("SELECT count(*) FROM item")).isEqualTo(1);
    }

    @Test
    void copy_isRefused() throws Exception {
        try (var connection = database.connect()) {
            assertRefused(
                    BatchError.INVALID_DEFINITION,
                    () -> writer(WriteMode.COPY).write(List.of(row(1, "x")), connection));
        }
    }
}
