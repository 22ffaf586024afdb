package dev.weighlock.app.prove.soak;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weighlock.app.prove.stand.ReportRun;
import dev.weighlock.app.prove.stand.Settings;
import dev.weighlock.app.prove.stand.Target;
import dev.weighlock.app.prove.stand.Targets;
import dev.weighlock.batch.jdbc.postgres.PostgresSchema;
import dev.weighlock.batch.jdbc.postgres.PostgresSettings;
import dev.weighlock.batch.testkit.EmbeddedDatabase;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A few cycles, and a few that keep what they should give back. */
class SoakCampaignTest {
    @TempDir
    Path folder;

    private ReportRun run(SoakCampaign campaign, String url, int cycles) {
        Settings settings = Settings.of(campaign, Map.of("cycles", Integer.toString(cycles)));
        try (Target target = Targets.named(url, Map.of("PGUSER", EmbeddedDatabase.USER), folder, folder)) {
            return ReportRun.of(campaign, campaign.reports().getFirst(), target, settings, folder);
        }
    }

    private String file() {
        return "sqlite:" + folder.resolve("repository.db");
    }

    private static void assertPassed(ReportRun run) {
        assertThat(run.findings().violations()).isEmpty();
        assertThat(run.findings().counts()).containsEntry("cycles", 8L);
        assertThat(run.findings().facts().get("first_attempts"))
                .isEqualTo(Map.of("BODY FAILED", 2, "QUERY FAILED", 2, "STOP STOPPED", 2, "WRITE FAILED", 2));
    }

    private static String migrated() throws Exception {
        String url = EmbeddedDatabase.url(EmbeddedDatabase.createDatabase());
        new PostgresSchema(PostgresSettings.of(url, () -> Optional.of(EmbeddedDatabase.USER), Optional::empty))
                .migrate();
        return url;
    }

    @Test
    void postgres_eightCycles_stayFlat() throws Exception {
        assertPassed(run(new SoakCampaign(), migrated(), 8));
    }

    @Tag("long")
    @Test
    void postgres_sixHundredCycles_stayFlat() throws Exception {
        assertThat(run(new SoakCampaign(), migrated(), 600).findings().violations())
                .isEmpty();
    }

    @Test
    void sqlite_eightCycles_stayFlat() {
        assertPassed(run(new SoakCampaign(), file(), 8));
    }

    @Test
    void cyclesThatKeepTheirFilesOpen_failTheReport() throws Exception {
        Path kept = Files.createFile(folder.resolve("kept"));
        List<FileInputStream> open = new ArrayList<>();
        try {
            ReportRun run = run(
                    new SoakCampaign(() -> {
                        try {
                            open.add(new FileInputStream(kept.toFile()));
                        } catch (IOException e) {
                            throw new UncheckedIOException(e);
                        }
                    }),
                    file(),
                    8);

            assertThat(run.findings().violations())
                    .singleElement()
                    .asString()
                    .startsWith("open file handles grew from ");
        } finally {
            for (FileInputStream stream : open) {
                stream.close();
            }
        }
    }
}
