package dev.weighlock.app.prove;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weighlock.app.command.Invocation;
import dev.weighlock.app.exit.CommandFailure;
import dev.weighlock.app.exit.ExitCode;
import dev.weighlock.app.prove.stand.Campaign;
import dev.weighlock.app.prove.stand.Findings;
import dev.weighlock.app.prove.stand.Report;
import dev.weighlock.app.prove.stand.Setting;
import dev.weighlock.app.prove.stand.Settings;
import dev.weighlock.app.prove.stand.Stand;
import dev.weighlock.app.terminal.Terminal;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What a campaign says of itself as a whole. */
class CampaignRunTest {
    @TempDir
    Path folder;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    private record Two(Runnable atTheEndOfTheFirst) implements Campaign {
        @Override
        public String name() {
            return "two";
        }

        @Override
        public String header() {
            return "";
        }

        @Override
        public List<Setting> settings() {
            return List.of();
        }

        @Override
        public void check(Settings settings) {}

        @Override
        public List<Report> reports() {
            return List.of(new One("first", atTheEndOfTheFirst), new One("second", () -> {}));
        }
    }

    private record One(String name, Runnable work) implements Report {
        @Override
        public String proves() {
            return "";
        }

        @Override
        public String provesNot() {
            return "";
        }

        @Override
        public void run(Stand stand, Findings findings) {
            work.run();
        }
    }

    private boolean run(Two campaign) throws Exception {
        Terminal terminal = new Terminal(
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(out, true, StandardCharsets.UTF_8),
                false,
                false,
                false,
                200);
        Invocation invocation = new Invocation(terminal, folder, Map.of());
        return new CampaignRun(
                        invocation,
                        campaign,
                        Settings.of(campaign, Map.of()),
                        "sqlite:" + folder.resolve("jobs.db"),
                        folder.resolve("out"))
                .run(true);
    }

    private JsonNode document() {
        return JsonMapper.shared().readTree(out.toString(StandardCharsets.UTF_8));
    }

    @Test
    void reportsThatPass_makeACampaignThatPassed() throws Exception {
        assertThat(run(new Two(() -> {}))).isTrue();
        assertThat(document().path("verdict").asString()).isEqualTo("PASSED");
    }

    /** As a signal does that comes when the report is over. */
    @Test
    void interruptAfterAReportThatPassed_makesACampaignThatDidNot() throws Exception {
        assertThat(run(new Two(Thread.currentThread()::interrupt))).isFalse();

        assertThat(document().path("reports").size()).isEqualTo(1);
        assertThat(document().path("reports_asked_for").size()).isEqualTo(2);
        assertThat(document().path("reports").get(0).path("verdict").asString()).isEqualTo("PASSED");
        assertThat(document().path("verdict").asString()).isEqualTo("FAILED");
    }

    @Test
    void reportThatIsThere_isNotWrittenOver() throws Exception {
        Path kept = Files.createDirectories(folder.resolve("out")).resolve("two-second.json");
        Files.writeString(kept, "evidence");

        assertThatThrownBy(() -> run(new Two(() -> {})))
                .isInstanceOfSatisfying(
                        CommandFailure.class,
                        refused -> assertThat(refused.code()).isEqualTo(ExitCode.USAGE))
                .hasMessageContaining("two-second.json");
        assertThat(kept).hasContent("evidence");
    }
}
