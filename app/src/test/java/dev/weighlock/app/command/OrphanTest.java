package dev.weighlock.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weighlock.app.command.WlProcess.Outcome;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the commands that only look say of an execution whose process was killed. */
class OrphanTest {
    private static final String GONE = "the process of execution 1 is gone";

    @TempDir
    Path folder;

    @BeforeEach
    void killARun() throws Exception {
        Files.writeString(folder.resolve("job.yaml"), """
                job: endless
                steps:
                  - id: count
                    query: {sql: "SELECT count(*) FROM range(10000000) a, range(10000000) b WHERE a.range + b.range = -1"}
                """);
        try (WlProcess wl = WlProcess.start(folder, Map.of(), "run", "job.yaml")) {
            wl.awaitOut("execution 1");
            wl.awaitThat("a step begins", () -> Files.exists(folder.resolve(".weighlock/logs/1.log")));
            wl.kill();
            wl.await();
        }
    }

    @Test
    void commands_ofAnExecutionWithoutAProcess_sayThatItIsGone() throws Exception {
        assertThat(wl("logs", "1", "-f").err()).contains(GONE, "wl restart 1");
        assertThat(wl("show", "1").err()).contains(GONE);
        assertThat(wl("executions").err()).contains(GONE);

        Outcome stop = wl("stop", "1");
        assertThat(stop.err()).contains(GONE);
        assertThat(stop.out()).doesNotContain("tells when it has");
    }

    private Outcome wl(String... words) throws Exception {
        return WlProcess.run(folder, words);
    }
}
