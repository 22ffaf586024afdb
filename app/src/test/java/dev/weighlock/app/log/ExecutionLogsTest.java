package dev.weighlock.app.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

class ExecutionLogsTest {
    private static final Logger LOG = LoggerFactory.getLogger(ExecutionLogsTest.class);

    @TempDir
    Path folder;

    @Test
    void events_goToTheFileOfTheirExecution() throws Exception {
        try (ExecutionLogs logs = ExecutionLogs.writeTo(folder)) {
            assertThat(logs).isNotNull();
            try (MDC.MDCCloseable scope = MDC.putCloseable(FileAppender.EXECUTION, "7")) {
                assertThat(scope).isNotNull();
                LOG.info("chunk {} done", 3);
            }
            LOG.error("no execution", new IllegalStateException("why"));
        }

        assertThat(Files.readString(LogFiles.of(folder, 7)))
                .contains("INFO", "chunk 3 done")
                .doesNotContain("why");
        assertThat(Files.readString(folder.resolve("wl.log"))).contains("no execution", "why", "\tat ");
    }

    @Test
    void follower_printsWhatIsAddedUntilTheExecutionIsOver() throws Exception {
        Path file = folder.resolve("1.log");
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        LogFollower follower = new LogFollower(file, new PrintStream(bytes, true, StandardCharsets.UTF_8));
        Iterator<String> writes = List.of("a\n", "b\n").iterator();

        follower.copyNew();
        follower.followWhile(() -> appendNext(file, writes));

        assertThat(bytes.toString(StandardCharsets.UTF_8)).isEqualTo("a\nb\n");
    }

    private static boolean appendNext(Path file, Iterator<String> writes) {
        try {
            String before = Files.exists(file) ? Files.readString(file) : "";
            Files.writeString(file, before + writes.next());
            return writes.hasNext();
        } catch (java.io.IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
