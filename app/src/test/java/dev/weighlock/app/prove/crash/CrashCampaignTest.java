package dev.weighlock.app.prove.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weighlock.app.prove.stand.Numbers;
import dev.weighlock.app.prove.stand.Report;
import dev.weighlock.app.prove.stand.ReportRun;
import dev.weighlock.app.prove.stand.Settings;
import dev.weighlock.app.prove.stand.Target;
import dev.weighlock.app.prove.stand.Targets;
import dev.weighlock.batch.jdbc.postgres.PostgresSchema;
import dev.weighlock.batch.jdbc.postgres.PostgresSettings;
import dev.weighlock.batch.testkit.EmbeddedDatabase;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Processes killed at some of their commit points, or at all, and a process that repeats what it committed. */
class CrashCampaignTest {
    private static final Map<String, String> SHORT =
            Map.of("kills", "1", "points", "chunk.committed,partition.finished,job.stopping");

    @TempDir
    Path folder;

    private List<ReportRun> runs(CrashCampaign campaign, String url, Map<String, String> shape) throws Exception {
        Settings settings = Settings.of(campaign, shape);
        try (Target target = Targets.named(url, Map.of("PGUSER", EmbeddedDatabase.USER), folder, folder)) {
            return campaign.reports().stream()
                    .map(report -> ReportRun.of(campaign, report, target, settings, folder))
                    .toList();
        }
    }

    private static String migrated() throws Exception {
        String url = EmbeddedDatabase.url(EmbeddedDatabase.createDatabase());
        new PostgresSchema(PostgresSettings.of(url, () -> Optional.of(EmbeddedDatabase.USER), Optional::empty))
                .migrate();
        return url;
    }

    private String file() {
        return "sqlite:" + folder.resolve("repository.db");
    }

    private static void assertPassed(List<ReportRun> runs) {
        assertThat(runs)
                .extracting(run -> run.report().name())
                .containsExactly("chunk-job", "partitioned-job", "stopped-job");
        assertThat(runs).allSatisfy(run -> {
            assertThat(run.findings().violations()).isEmpty();
            assertThat(run.findings().counts().get("processes_killed")).isNotEqualTo(0L);
        });
    }

    @Test
    void postgres_someKills_loseAndRepeatNothing() throws Exception {
        assertPassed(runs(new CrashCampaign(), migrated(), SHORT));
    }

    @Test
    void sqlite_someKills_loseAndRepeatNothing() throws Exception {
        assertPassed(runs(new CrashCampaign(), file(), SHORT));
        // Killed processes leave their lock files, which the campaign removes.
        assertThat(folder.resolve("nodes")).isEmptyDirectory();
    }

    @Tag("long")
    @Test
    void everyPointTwiceInARow_losesAndRepeatsNothing() throws Exception {
        assertPassed(runs(new CrashCampaign(), migrated(), Map.of()));
        assertPassed(runs(new CrashCampaign(), file(), Map.of()));
    }

    /** Goes back by one row when it goes on. */
    static final class Forgetful {
        public static void main(String[] words) throws Exception {
            System.exit(OwnerProgram.run(
                    OwnerProgram.Told.of(words), (step, numbers) -> new Numbers.Reader(step, numbers) {
                        @Override
                        protected long startAt(long stored) {
                            return Math.max(0, stored - 1);
                        }
                    }));
        }
    }

    @Test
    void programThatRepeatsARow_failsEveryReport() throws Exception {
        List<ReportRun> runs = runs(new CrashCampaign(Forgetful.class), file(), SHORT);

        assertThat(runs).hasSize(3).noneMatch(ReportRun::passed);
        assertThat(runs)
                .allSatisfy(run -> assertThat(run.findings().violations())
                        .anySatisfy(violation -> assertThat(violation).contains("each once, and there are")));
    }

    /** Its second process breaks before it goes on; the third one is well again. */
    static final class BrokenOnce {
        public static void main(String[] words) throws Exception {
            OwnerProgram.Told told = OwnerProgram.Told.of(words);
            Path starts = told.folder().resolve(told.job() + "-starts");
            Files.writeString(starts, "x", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
            if (Files.size(starts) == 2) {
                throw new IllegalStateException("recovery is broken");
            }
            System.exit(OwnerProgram.run(told, Numbers.Reader::new));
        }
    }

    @Test
    void processThatBreaksAfterAKill_failsTheReport() throws Exception {
        CrashCampaign campaign = new CrashCampaign(BrokenOnce.class);

        List<ReportRun> runs = runs(campaign, file(), Map.of("kills", "2", "points", "chunk.committed"));

        assertThat(runs.getFirst().findings().violations())
                .singleElement()
                .asString()
                .contains("chunk.committed: process 2 neither came to its point nor ended well")
                .contains("recovery is broken");
    }

    @Test
    void pointsThatAreChosen_chooseTheReportsThatHaveThem() {
        CrashCampaign campaign = new CrashCampaign();

        assertThat(campaign.reports(Settings.of(campaign, Map.of("points", "chunk.guarded"))))
                .extracting(Report::name)
                .containsExactly("chunk-job", "partitioned-job");
        assertThat(campaign.reports(Settings.of(campaign, Map.of())))
                .extracting(Report::name)
                .containsExactly("chunk-job", "partitioned-job", "stopped-job");
    }

    @Test
    void pointThatNobodyReaches_failsTheReport() throws Exception {
        List<ReportRun> runs =
                runs(new CrashCampaign(), file(), Map.of("kills", "1", "points", "chunk.guarded", "numbers", "1"));

        assertThat(runs.getFirst().findings().violations())
                .containsExactly("chunk.guarded: no process came there, so nothing is proved");
    }
}
