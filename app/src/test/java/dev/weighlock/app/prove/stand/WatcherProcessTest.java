package dev.weighlock.app.prove.stand;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The watcher is nobody's orphan. */
class WatcherProcessTest {
    @TempDir
    Path folder;

    @Test
    void inputThatEnds_asWhenTheCampaignIsKilled_endsTheProcess() throws Exception {
        Path file = folder.resolve("jobs.db");
        try (Target target = Targets.named("sqlite:" + file, Map.of(), folder, folder)) {
            target.open(1).close();
            target.makeSchema();
            Bodies.makeTable(target);
            Process watcher = new ProcessBuilder(ChildProgram.command(
                            WatcherProcess.class, List.of(target.url(), folder.toString(), "nobody's")))
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            try (var lines = watcher.inputReader()) {
                assertThat(lines.readLine()).isEqualTo("ready");

                watcher.getOutputStream().close();

                assertThat(lines.readLine()).startsWith("looked ");
                assertThat(watcher.waitFor(60, TimeUnit.SECONDS)).isTrue();
                assertThat(watcher.exitValue()).isZero();
            } finally {
                watcher.destroyForcibly();
            }
        }
    }
}
