package dev.weighlock.app.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogFilesTest {
    @TempDir
    Path folder;

    private Path file(String name, int daysAgo) throws Exception {
        Path file = Files.createFile(folder.resolve(name));
        Files.setLastModifiedTime(file, FileTime.from(Instant.now().minus(Duration.ofDays(daysAgo))));
        return file;
    }

    @Test
    void removeOlder_takesLogsOfExecutionsThatAreOldEnough() throws Exception {
        Path old = file("1.log", 31);
        Path young = file("2.log", 29);
        Path process = file("wl.log", 90);

        LogFiles.removeOlder(folder, Duration.ofDays(30));

        assertThat(old).doesNotExist();
        assertThat(young).exists();
        assertThat(process).exists();
    }
}
