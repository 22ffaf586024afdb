package dev.weighlock.app.prove.stand;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weighlock.batch.jdbc.postgres.PostgresSchema;
import dev.weighlock.batch.jdbc.postgres.PostgresSettings;
import dev.weighlock.batch.testkit.EmbeddedDatabase;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whatever a report throws, and whatever it leaves, there is a document that says so. */
class ReportRunTest {
    @TempDir
    Path folder;

    @FunctionalInterface
    private interface Work {
        void on(Stand stand) throws Exception;
    }

    private record Only(Work work) implements Campaign, Report {
        @Override
        public String name() {
            return "only";
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
            return List.of(this);
        }

        @Override
        public String proves() {
            return "";
        }

        @Override
        public String provesNot() {
            return "";
        }

        @Override
        public void run(Stand stand, Findings findings) throws Exception {
            work.on(stand);
        }
    }

    private List<String> violations(String url, Work work) {
        Only only = new Only(work);
        try (Target target = Targets.named(url, Map.of("PGUSER", EmbeddedDatabase.USER), folder, folder)) {
            ReportRun run = ReportRun.of(only, only, target, Settings.of(only, Map.of()), folder);
            assertThat(run.document()).containsEntry("verdict", "FAILED");
            return run.findings().violations();
        }
    }

    private String file() {
        return "sqlite:" + folder.resolve("jobs.db");
    }

    @Test
    void libraryThatIsMissing_isAFinding() {
        assertThat(violations(file(), stand -> {
                    throw new UnsatisfiedLinkError("no duckdb here");
                }))
                .singleElement()
                .asString()
                .contains("the report broke off", "no duckdb here");
    }

    @Test
    void whatCannotBeRemoved_isSaidBesideWhatBroke() throws Exception {
        String database = EmbeddedDatabase.createDatabase();
        String url = EmbeddedDatabase.url(database);
        new PostgresSchema(PostgresSettings.of(url, () -> Optional.of(EmbeddedDatabase.USER), Optional::empty))
                .migrate();

        List<String> violations = violations(url, stand -> {
            try (var connection = stand.target().connect();
                    var statement = connection.createStatement()) {
                statement.execute("COMMENT ON SCHEMA weighlock_prove IS 'somebody else''s'");
            }
            throw new IllegalStateException("broken");
        });

        assertThat(violations)
                .satisfiesExactly(
                        broke -> assertThat(broke).contains("the report broke off", "broken"),
                        left -> assertThat(left).contains("may be left", "was not made by a campaign"));
    }

    @Test
    void bodyThatStillRuns_losesItsConnection() {
        Pulse[] left = new Pulse[1];

        assertThat(violations(file(), stand -> {
                    left[0] = stand.bodies().begin(1, "key");
                    throw new IllegalStateException("broken");
                }))
                .hasSize(1);

        assertThatThrownBy(left[0]::beat).hasMessageContaining("closed");
    }
}
